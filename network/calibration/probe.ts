import path from 'node:path';
import { boundedBody, OUTPUT_BYTES, readErrorTail } from '../../ground/system/bounded-body.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { NetworkError } from '../../ground/system/errors.ts';
import { type NamespaceOrMachine, type PathAgent, PYTHON_FLAGS } from '../agent.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Path } from '../path.ts';

interface ProbeOptions {
  agent: Pick<PathAgent, 'enter'>;
  python: string;
  /** Location of the server's end; default: the server's end of the path. */
  place?: 'server' | 'machine';
  address: string;
  signal?: AbortSignal;
}

/** One direction's rate as measured by probe.py. */
export interface MeasuredRate {
  /** null: too few packets arrived. */
  kbps: number | null;
  offeredKbps: number;
  packets: number;
  durationMs: number;
  /** Sum by which pauses between packets exceed the usual gap. */
  pausedMs: number;
}

/** Output of `probe.py measure`. */
export interface PathMeasurements {
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

/** Datagrams of one direction, sent above the rate of UDP. */
export interface MeasuredDatagrams extends MeasuredRate {
  sent: number;
}

/** Output of `probe.py treatment`. */
interface MeasuredTreatment {
  toServer: MeasuredDatagrams;
  toClient: MeasuredDatagrams;
  /** Name of the error that the sender of a datagram received; null: no error. */
  refusal: string | null;
  /** null: not requested. */
  tcpKbps: number | null;
}

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

/** Output of `probe.py namespace`. */
export interface NamespaceFacts {
  /** Path below /proc/sys to its value; null: no such setting in this namespace. */
  settings: Record<string, string | null>;
  /** Offloads of the device by name; null: the device does not report them. */
  features: Record<string, boolean> | null;
  udp: { receiveBufferBytes: number; sendBufferBytes: number };
}

export interface Probe {
  measure(
    limits: Pick<SeededCondition, 'downKbps' | 'upKbps'>,
    packets: Pick<Path, 'mtuBytes' | 'longestPacketBytes'>,
  ): Promise<PathMeasurements>;
  /** Measures the treatment of UDP, and the rate of `tcpBytes` bytes over TCP. */
  treatment(
    limits: { kbps: number | null; burstBytes: number; tcpBytes: number | null },
    packets: Pick<Path, 'mtuBytes' | 'longestPacketBytes'>,
  ): Promise<MeasuredTreatment>;
  connection(): Promise<{ client: ConnectionFacts; server: ConnectionFacts }>;
  namespace(name: NamespaceOrMachine, device: string): Promise<NamespaceFacts>;
}

/** Allows for a busy or emulated machine. */
const READY_LIMIT_MS = 30_000;
// On the slowest link 40 packets each way take 5 s (64 kbit/s), plus some round trips.
const MEASURE_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 1_000;

const PROGRAM = path.join(import.meta.dirname, 'probe.py');

/**
 * Starts the server's end, calls `use` with a prober, and always stops the server's end.
 * @throws NetworkError if the probes cannot be sent or are not answered
 */
export async function withProbe<T>(
  options: ProbeOptions,
  use: (probe: Probe) => Promise<T>,
): Promise<T> {
  const server = startProgram(options, options.place ?? 'server', ['serve', options.address]);
  try {
    const line = await firstLine(server, options.signal);
    const { udpPort, tcpPort } = readAnswer<{ udpPort: number; tcpPort: number }>(line);
    const serverEnd = [options.address, String(udpPort), String(tcpPort)];
    const run = <A>(name: NamespaceOrMachine, args: string[]) => runProgram<A>(options, name, args);
    return await use({
      measure: ({ downKbps, upKbps }, packets) =>
        run('client', [
          'measure',
          ...serverEnd,
          ...sizesOf(packets),
          ...(downKbps === null ? [] : ['--down', String(downKbps)]),
          ...(upKbps === null ? [] : ['--up', String(upKbps)]),
        ]),
      treatment: ({ kbps, burstBytes, tcpBytes }, packets) =>
        run('client', [
          'treatment',
          ...serverEnd,
          ...sizesOf(packets),
          '--burst',
          String(burstBytes),
          ...(kbps === null ? [] : ['--kbps', String(kbps)]),
          ...(tcpBytes === null ? [] : ['--tcp', String(tcpBytes)]),
        ]),
      connection: () => run('client', ['connection', options.address, String(tcpPort)]),
      namespace: (name, device) => run(name, ['namespace', device]),
    });
  } finally {
    await server.stop(STOP_LIMIT_MS);
  }
}

function sizesOf({
  mtuBytes,
  longestPacketBytes,
}: Pick<Path, 'mtuBytes' | 'longestPacketBytes'>): string[] {
  return ['--mtu', String(mtuBytes), '--longest', String(longestPacketBytes)];
}

function startProgram(options: ProbeOptions, name: NamespaceOrMachine, args: string[]): Child {
  options.signal?.throwIfAborted();
  const [command = options.python, ...prefixed] = [...options.agent.enter(name), options.python];
  return startChild(command, [...prefixed, ...PYTHON_FLAGS, PROGRAM, ...args]);
}

async function firstLine(child: Child, signal?: AbortSignal): Promise<string> {
  const { stdout, stderr } = pipesOf(child);
  const errors = readErrorTail(stderr);
  const first = textLines(stdout, { maxBytes: LINE_BYTES.foreign }).next();
  const late = lateAfter(READY_LIMIT_MS, "The prober's server");
  const { value, done } = await withDeadline(first, READY_LIMIT_MS, late, signal);
  if (!done) return value;
  throw new NetworkError(`The prober's server did not start: ${lastLines(await errors)}`);
}

async function runProgram<A>(
  options: ProbeOptions,
  name: NamespaceOrMachine,
  args: string[],
): Promise<A> {
  const child = startProgram(options, name, args);
  try {
    const { stdout, stderr } = pipesOf(child);
    const printed = Promise.all([
      boundedBody(stdout, OUTPUT_BYTES, 'what the prober printed'),
      readErrorTail(stderr),
    ]);
    const late = lateAfter(MEASURE_LIMIT_MS, 'The prober');
    const [output, errors] = await withDeadline(printed, MEASURE_LIMIT_MS, late, options.signal);
    if (output.length === 0) throw new NetworkError(`The prober failed: ${lastLines(errors)}`);
    return readAnswer<A>(output.toString('utf8'));
  } finally {
    await child.stop(STOP_LIMIT_MS);
  }
}

function lateAfter(limitMs: number, who: string): () => never {
  return () => {
    throw new NetworkError(`${who} did not answer within ${limitMs / 1000} s.`);
  };
}

function readAnswer<A>(line: string): A {
  let answer: (A & { error?: string }) | undefined;
  try {
    answer = JSON.parse(line);
  } catch {
    // Reported below with the output instead.
  }
  if (!answer) throw new NetworkError(`The prober's output is not JSON: ${line}`);
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

function lastLines(printed: string): string {
  return printed.trim().split('\n').slice(-3).join(' ') || '(no error message)';
}
