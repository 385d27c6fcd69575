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

/** Exit of a command, and its output. */
export interface CommandResult {
  /** Exit status, or the signal that ended it. */
  status: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** The internet of a test. */
export interface Internet {
  /** Command prefix that runs a command on the client's machine: its network, its name server. */
  enter: string[];
  /** Command prefix that runs servers of a test where the addresses of hosts are. */
  enterHosts: string[];
  /** The certificate (PEM) of the authority that signed the certificates of hosts. */
  caFile: string;
  /**
   * Runs a command there to its end, with any exit status; a running one is stopped at the end of
   * the test.
   */
  run(command: readonly string[], options?: { input?: string }): Promise<CommandResult>;
  /** The addresses of a host, IPv4 first. */
  addressesOf(name: string): readonly string[];
  /**
   * Drops UDP to a host from now on, existing connections included.
   * @returns what lets it through again
   */
  dropUdp(name: string): Promise<() => Promise<void>>;
  /** Queries to the name server so far, in order. */
  questions(): Promise<DnsQuestion[]>;
}

/**
 * Policies for the Chromium of the client's machine, which must lie in /etc/chromium; receives the
 * certificate (PEM) of the authority.
 */
type PoliciesOf = (authority: string) => object;

const STOP_LIMIT_MS = 2_000;

/**
 * Makes an internet of these hosts and a client's machine in it, and removes all of it, also when
 * this process is terminated.
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
          enterHosts: agent.enter('server'),
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

/**
 * Configures the client's machine to use only this name server; unanswered queries fail after 2 s.
 */
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
