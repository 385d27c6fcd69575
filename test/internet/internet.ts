import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { python } from '../../ground/runtimes/python.ts';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { PYTHON_FLAGS, withPathAgent } from '../../network/agent.ts';
import { dropUdp, layCable } from './cable.ts';
import { makeTestAuthority } from './certificates.ts';
import { withFolder } from './folder.ts';
import { assignAddresses, type Hosts, NAME_SERVER } from './hosts.ts';
import type { DnsQuestion } from './servers/listener.ts';
import { startServers } from './servers.ts';

export type { Host, Hosts } from './hosts.ts';

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** Its exit status, or the signal that ended it. */
  status: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** The internet that a test has made. */
export interface Internet {
  /** What to put before a command so that it runs on the client's machine: its network, its name server. */
  enter: string[];
  /** The certificate (PEM) of the authority that signed the certificates of hosts. */
  caFile: string;
  /** Runs a command there to its end, whatever its exit status is; one that still runs when the test is done with the internet is stopped. */
  run(command: readonly string[], options?: { input?: string }): Promise<CommandResult>;
  /** The addresses of a host, IPv4 first. */
  addressesOf(name: string): readonly string[];
  /**
   * Drops what is sent over UDP to a host from now on, connections that are there included.
   * @returns what lets it through again
   */
  dropUdp(name: string): Promise<() => Promise<void>>;
  /** What the name server was asked so far, in that order. */
  questions(): Promise<DnsQuestion[]>;
}

/** What the client's machine demands of its Chromium, whose policies must lie in /etc/chromium; told the certificate (PEM) of the authority. */
type PoliciesOf = (authority: string) => object;

const STOP_LIMIT_MS = 2_000;

/**
 * Makes an internet of these hosts and a client's machine that is joined to it, and removes all of it, also when this process is
 * asked to stop.
 * @throws MachineError when this machine does not allow namespaces
 */
export async function withInternet<T>(
  { hosts, chromiumPolicies }: { hosts: Hosts; chromiumPolicies?: PoliciesOf },
  use: (internet: Internet) => Promise<T>,
): Promise<T> {
  const placed = assignAddresses(hosts);
  return withFolder(async (folder) => {
    const authority = await makeTestAuthority();
    const caFile = path.join(folder, 'ca.pem');
    await writeFile(caFile, authority.pem);
    const filesOfEtc = await writeFilesOfEtc(folder, chromiumPolicies?.(authority.pem) ?? null);
    const namespaces = ['client', 'server'] as const;
    return withPathAgent({ python: python.program, namespaces }, async (agent) => {
      await layCable(agent, placed, folder);
      const servers = await startServers(agent, placed, authority);
      const running = new Set<Child>();
      try {
        const pid = `${agent.holderOf('client')}`;
        const enter = [python.program, ...PYTHON_FLAGS, ENTER, pid, filesOfEtc];
        const byName = new Map(placed.map(({ name, addresses }) => [name, addresses]));
        const addressesOf = (name: string) => byName.get(name) ?? [];
        return await use({
          enter,
          caFile,
          run: (command, { input = '' } = {}) => run([...enter, ...command], input, running),
          addressesOf,
          dropUdp: (name) => dropUdp(agent, addressesOf(name)),
          questions: servers.questions,
        });
      } finally {
        await Promise.all([...running].map((each) => each.stop(STOP_LIMIT_MS)));
        await servers.stop();
      }
    });
  });
}

const ENTER = path.join(import.meta.dirname, 'enter.py');

/** What has the client's machine ask the name server, and it alone; a name that is not answered fails after 2 s. */
async function writeFilesOfEtc(folder: string, policies: object | null): Promise<string> {
  const files = path.join(folder, 'etc');
  await mkdir(files);
  const resolver = `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:2\n`;
  await writeFile(path.join(files, 'resolv.conf'), resolver);
  await writeFile(path.join(files, 'nsswitch.conf'), 'hosts: files dns\n');
  if (policies !== null) {
    const managed = path.join(files, 'chromium', 'policies', 'managed');
    await mkdir(managed, { recursive: true });
    await writeFile(path.join(managed, 'test.json'), JSON.stringify(policies));
  }
  return files;
}

async function run(
  [command = '', ...args]: readonly string[],
  input: string,
  running: Set<Child>,
): Promise<CommandResult> {
  const child = startChild(command, args);
  running.add(child);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new Error('a command without pipes');
  stdin.end(input);
  try {
    const [out, error] = await Promise.all([textOf(stdout), textOf(stderr)]);
    return { status: await child.ended, stdout: out, stderr: error };
  } finally {
    await child.stop(STOP_LIMIT_MS);
    running.delete(child);
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  return text;
}
