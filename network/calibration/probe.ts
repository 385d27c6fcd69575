import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startChild } from '../../system/child-process.ts';
import { NetworkError } from '../../system/errors.ts';
import type { NamespaceName, PathAgent } from '../agent.ts';

/** Between which ends and with what to probe. */
export interface ProbeOptions {
  /** Puts a program into a namespace. */
  agent: Pick<PathAgent, 'enter'>;
  /** The project's Python. */
  python: string;
  /** An address of the server's end. */
  address: string;
  signal?: AbortSignal;
}

/** One direction's rate as probe.py found it. */
export interface MeasuredRate {
  /** null: too little arrived to say. */
  kbps: number | null;
  offeredKbps: number;
  packets: number;
  durationMs: number;
  /** Together, what the pauses between packets were longer than usual. */
  pausedMs: number;
}

/** What `probe.py measure` prints. */
export interface Measured {
  udpRttMs: number[];
  toServerMs: number[];
  toClientMs: number[];
  udpProbes: number;
  udpProbesLost: number;
  tcpConnectMs: number[];
  tcpRttMs: number[];
  down: MeasuredRate | null;
  up: MeasuredRate | null;
}

/** What a live TCP socket says of itself right after it was connected. */
export interface ConnectionFacts {
  congestionControl: string;
  sndMss: number;
  rcvMss: number;
  pathMtu: number;
  sndCwnd: number;
  advertisedMss: number;
  sendBufferBytes: number;
  receiveBufferBytes: number;
}

/** What `probe.py namespace` prints. */
export interface NamespaceFacts {
  /** Path below /proc/sys to its value; null: this namespace has no such setting. */
  settings: Record<string, string | null>;
  /** Offloads of the device by name; null: the device does not tell. */
  features: Record<string, boolean> | null;
  udp: { receiveBufferBytes: number; sendBufferBytes: number };
}

/** null: no limit. */
export type RateLimits = { downKbps: number | null; upKbps: number | null };

/** What packets the path takes. */
export type PacketLengths = { mtuBytes: number; longestPacketBytes: number };

/** A prober whose server answers at the other end. */
export interface Probe {
  /** Round trips, and the rate of each direction that has a limit. */
  measure(limits: RateLimits, packets: PacketLengths): Promise<Measured>;
  /** Both ends of a TCP connection opened for this. */
  connection(): Promise<{ client: ConnectionFacts; server: ConnectionFacts }>;
  /** The settings of one end's namespace. */
  namespace(name: NamespaceName, device: string): Promise<NamespaceFacts>;
}

/** Python has to start, maybe on a machine that is busy or emulated. */
const READY_LIMIT_MS = 30_000;
// A slow and far link takes its time: 5 s for 40 packets each way at 64 kbit/s, and some round trips.
const MEASURE_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 1_000;

const PROGRAM = path.join(import.meta.dirname, 'probe.py');

/**
 * Starts the answering end in the server's namespace, hands on a prober, and always stops it.
 * @throws NetworkError when the probes cannot be sent or do not come back.
 */
export async function withProbe<T>(
  options: ProbeOptions,
  use: (probe: Probe) => Promise<T>,
): Promise<T> {
  const server = startProgram(options, 'server', ['serve', options.address]);
  try {
    const line = await firstLine(server, options.signal);
    const { udpPort, tcpPort } = readAnswer<{ udpPort: number; tcpPort: number }>(line);
    const ask = <A>(name: NamespaceName, args: string[]) => askProgram<A>(options, name, args);
    return await use({
      measure: ({ downKbps, upKbps }, { mtuBytes, longestPacketBytes }) =>
        ask('client', [
          'measure',
          options.address,
          String(udpPort),
          String(tcpPort),
          '--mtu',
          String(mtuBytes),
          '--longest',
          String(longestPacketBytes),
          ...(downKbps === null ? [] : ['--down', String(downKbps)]),
          ...(upKbps === null ? [] : ['--up', String(upKbps)]),
        ]),
      connection: () => ask('client', ['connection', options.address, String(tcpPort)]),
      namespace: (name, device) => ask(name, ['namespace', device]),
    });
  } finally {
    await server.stop(STOP_LIMIT_MS);
  }
}

function startProgram(options: ProbeOptions, name: NamespaceName, args: string[]): Child {
  options.signal?.throwIfAborted();
  const command = [
    ...options.agent.enter(name),
    // Neither the environment nor the user's packages have a say; nothing is written beside the source.
    options.python,
    '-B',
    '-E',
    '-s',
    PROGRAM,
    ...args,
  ];
  return startChild(command[0] as string, command.slice(1));
}

async function firstLine(child: Child, signal?: AbortSignal): Promise<string> {
  const { stdout, stderr } = pipesOf(child);
  const errors = collect(stderr);
  const ended = async (): Promise<never> => {
    await child.ended;
    await new Promise((resolve) => setImmediate(resolve));
    throw new NetworkError(`The prober's server did not start: ${lastLines(errors.text)}`);
  };
  return within(READY_LIMIT_MS, signal, "The prober's server", [
    new Promise<string>((resolve) => createInterface(stdout).once('line', resolve)),
    ended(),
  ]);
}

async function askProgram<A>(
  options: ProbeOptions,
  name: NamespaceName,
  args: string[],
): Promise<A> {
  const child = startProgram(options, name, args);
  try {
    const { stdout, stderr } = pipesOf(child);
    const [output, errors] = [collect(stdout), collect(stderr)];
    await within(MEASURE_LIMIT_MS, options.signal, 'The prober', [
      new Promise((resolve) => child.process.once('close', resolve)),
    ]);
    if (output.text.trim() === '') {
      throw new NetworkError(`The prober failed: ${lastLines(errors.text)}`);
    }
    return readAnswer<A>(output.text);
  } finally {
    await child.stop(STOP_LIMIT_MS);
  }
}

function readAnswer<A>(line: string): A {
  let answer: (A & { error?: string }) | undefined;
  try {
    answer = JSON.parse(line);
  } catch {
    // Told below with what was printed instead.
  }
  if (!answer) throw new NetworkError(`The prober printed something other than JSON: ${line}`);
  if (answer.error !== undefined) {
    throw new NetworkError(
      `The path between browser and servers does not carry packets: ${answer.error}. Does a firewall act in this machine's namespaces?`,
    );
  }
  return answer;
}

function pipesOf(child: Child) {
  const { stdout, stderr } = child.process;
  if (!stdout || !stderr) throw new Error('prober without pipes');
  return { stdout, stderr };
}

function collect(stream: NodeJS.ReadableStream): { text: string } {
  const collected = { text: '' };
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    collected.text += chunk;
  });
  return collected;
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ') || '(it said nothing)';
}

/** The first to settle, in time and not aborted. */
async function within<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  who: string,
  racing: Promise<T>[],
): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new NetworkError(`${who} did not answer within ${limitMs / 1000} s.`)),
    limitMs,
  );
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([...racing, stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
