import path from 'node:path';
import { createInterface } from 'node:readline';
import { bun } from '../../ground/runtimes/bun.ts';
import { startChild } from '../../ground/system/child-process.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import type { PathAgent } from '../../network/agent.ts';
import { pythonWithQuic } from '../python-with-quic.ts';
import type { Identity, TestAuthority } from './certificates.ts';
import { type AddressedHost, NAME_SERVER } from './hosts.ts';
import type { UdpBehaviour } from './kinds.ts';
import type { DnsQuestion, Listener, ServedHost } from './servers/listener.ts';

const SERVERS = path.join(import.meta.dirname, 'servers');
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 2_000;

/** The running programs behind the hosts. */
export interface Servers {
  questions(): Promise<DnsQuestion[]>;
  /** @throws Error when one has ended by itself */
  stop(): Promise<void>;
}

/** Starts the servers of these hosts, and waits until all of them listen. */
export async function startServers(
  agent: PathAgent,
  hosts: readonly AddressedHost[],
  authority: TestAuthority,
): Promise<Servers> {
  const identities = await identitiesOf(hosts, authority);
  const udp = listenersOf(hosts, identities, ({ kind }) => kind.udp);
  const of = (...behaviours: UdpBehaviour[]) =>
    udp.filter(({ behaviour }) => behaviours.includes(behaviour));
  const plain = {
    nameServer: NAME_SERVER,
    names: hosts.map(({ name, kind, addresses, httpsRecord }) => {
      return { name, answer: kind.name, addresses, httpsRecord };
    }),
    tcp: listenersOf(hosts, identities, ({ kind }) => kind.tcp),
    udp: of('other-version', 'silence'),
  };
  const quic = { udp: of('h3', 'no-protocol') };
  const retry = { udp: of('h3-with-retry') };
  const programs: Program[] = [];
  const start = (command: readonly string[], configuration: object) => {
    const program = startProgram([...agent.enter('server'), ...command], configuration);
    programs.push(program);
    return program;
  };
  const stop = () => Promise.all(programs.map((each) => each.stop()));
  try {
    const retryPython = retry.udp.length > 0 ? pythonWithQuic() : null;
    const names = start([process.execPath, path.join(SERVERS, 'plain-program.ts')], plain);
    if (quic.udp.length > 0) start([bun.program, path.join(SERVERS, 'quic-program.ts')], quic);
    if (retryPython) start([retryPython, path.join(SERVERS, 'retry_program.py')], retry);
    await Promise.all(programs.map((each) => each.next()));
    return {
      questions: async () => JSON.parse(await names.send('questions')) as DnsQuestion[],
      async stop() {
        const ended = programs.flatMap((each) => each.ended() ?? []);
        await stop();
        if (ended.length > 0) throw new Error(`the internet broke: ${ended.join('; ')}`);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Certificates of each owner of addresses. */
async function identitiesOf(hosts: readonly AddressedHost[], authority: TestAuthority) {
  const groups = Map.groupBy(hosts, ({ owner }) => owner);
  const issued = [...groups].map(async ([owner, sharing]) => {
    const names = sharing.map(({ name }) => name);
    const { certificate } = (sharing[0] as AddressedHost).kind;
    return [owner, await authority.issue(names, certificate)] as const;
  });
  return new Map(await Promise.all(issued));
}

/** One listener for each address, however many hosts share it. */
function listenersOf<Behaviour>(
  hosts: readonly AddressedHost[],
  identities: ReadonlyMap<string, Identity>,
  behaviourOf: (host: AddressedHost) => Behaviour | null,
): Listener<Behaviour>[] {
  const listeners = new Map<string, Listener<Behaviour> & { hosts: ServedHost[] }>();
  for (const host of hosts) {
    const behaviour = behaviourOf(host);
    const identity = identities.get(host.owner);
    if (behaviour === null || !identity) continue;
    for (const address of host.addresses) {
      const listener = listeners.get(address) ?? { address, behaviour, identity, hosts: [] };
      const { name, altSvc, images, redirectsTo } = host;
      listener.hosts.push({ name, altSvc, images, redirectsTo });
      listeners.set(address, listener);
    }
  }
  return [...listeners.values()];
}

interface Program {
  /** The next line that it prints. */
  next(): Promise<string>;
  /** Writes a line to it and reads its reply. */
  send(line: string): Promise<string>;
  /** Its output at its end; null: it runs. */
  ended(): string | null;
  stop(): Promise<void>;
}

function startProgram([command = '', ...args]: readonly string[], configuration: object): Program {
  const child = startChild(command, args);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new Error('a server without pipes');
  let complaint = '';
  stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2000);
  });
  const name = path.basename(args.at(-1) ?? '');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const endedWith = () => `${name} ended (${child.end}): ${complaint}`;
  const next = async () => {
    const { value, done } = await lines.next();
    if (!done) return value as string;
    await child.ended;
    throw new Error(endedWith());
  };
  const late = () => {
    throw new Error(`${name} said nothing for ${START_LIMIT_MS / 1000} s. ${complaint}`);
  };
  const nextInTime = () => withDeadline(next(), START_LIMIT_MS, late);
  stdin.write(`${JSON.stringify(configuration)}\n`);
  return {
    next: nextInTime,
    send(line) {
      stdin.write(`${line}\n`);
      return nextInTime();
    },
    ended: () => (child.end === null ? null : endedWith()),
    stop: () => child.stop(STOP_LIMIT_MS),
  };
}
