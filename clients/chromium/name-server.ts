import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { offersBoth, type Protocol } from '../../ground/records/protocol.ts';
import { python } from '../../ground/runtimes/python.ts';

/**
 * Whether Chromium itself finds the hosts of a server that speaks this, by asking the name server at its end of the path: it knows
 * their addresses by its command line else, and has then no use for an HTTPS record. A name tells no port: a server that does not
 * listen at that of HTTPS is never found so.
 * @param origins host to `ip:port`
 */
export function usesNameServer({
  protocol,
  origins,
}: {
  protocol: Protocol;
  origins: Readonly<Record<string, string>>;
}): boolean {
  return offersBoth(protocol) && Object.values(origins).every((each) => each.endsWith(':443'));
}

/**
 * What that name server is to know of such a server.
 * @param httpsRecord the protocols that its HTTPS record names; null: it has none
 */
export function namesOf(
  origins: Readonly<Record<string, string>>,
  httpsRecord: readonly string[] | null = null,
) {
  const withoutPort = (parentFolder: string) => parentFolder.replace(/:\d+$/, '');
  const addresses = Object.fromEntries(
    Object.entries(origins).map((each) => each.map(withoutPort) as [string, string]),
  );
  return { addresses, httpsRecord };
}

/** The address of that name server, as network/agent/names.py has it. */
const NAME_SERVER = '127.0.0.1';

/** Each in place of the machine's own; Chromium resolves names by itself only where these are plain. */
const FILES: Readonly<Record<string, string>> = {
  'resolv.conf': `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:2\n`,
  'nsswitch.conf': 'hosts: files dns\n',
  hosts: '127.0.0.1 localhost\n',
};

const WITH_FILES = path.join(import.meta.dirname, 'with_files_of_etc.py');

/**
 * What to put before Chromium's command so that it asks that name server, and it alone.
 * @param parentFolder a folder that lasts as long as Chromium, and that it cannot change
 */
export async function nameServerCommand(parentFolder: string): Promise<string[]> {
  const folder = path.join(parentFolder, 'etc');
  await mkdir(folder);
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    // As those of /etc, whatever this process's umask is.
    await chmod(file, 0o644);
  }
  // Neither the environment nor the user's packages have a say, and nothing is written beside the source.
  return [python.program, '-B', '-E', '-s', WITH_FILES, folder];
}
