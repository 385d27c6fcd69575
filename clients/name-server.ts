import { offersBoth, type Protocol } from '../ground/records/protocol.ts';
import { withFilesOfEtc } from './etc-files.ts';

/**
 * Whether the browser resolves this server's hosts itself, by the name server at its end of the path. Otherwise it is started with the
 * addresses, and HTTPS records have no effect. Names have no ports, so this works only for a server on the HTTPS port.
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
 * Records of the name server for such a server.
 * @param httpsRecord protocols in its HTTPS record; null: no such record
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

/** Address of the name server (network/agent/names.py). */
const NAME_SERVER = '127.0.0.1';

/** Replacements for files in /etc; Chromium uses its own resolver only if these are plain. */
const FILES: Readonly<Record<string, string>> = {
  'resolv.conf': `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:2\n`,
  'nsswitch.conf': 'hosts: files dns\n',
  hosts: '127.0.0.1 localhost\n',
};

/**
 * Command prefix that makes a browser use only that name server.
 * @param parentFolder exists as long as the browser, which cannot change it
 */
export function nameServerCommand(parentFolder: string): Promise<string[]> {
  return withFilesOfEtc(parentFolder, FILES);
}
