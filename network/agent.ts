import path from 'node:path';
import type { Readable } from 'node:stream';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { DirectionCounts, PathCounts, UdpTreatment } from '../ground/records/network.ts';
import type { ArmSettings } from '../ground/records/run.ts';
import { bun } from '../ground/runtimes/bun.ts';
import { LINE_BYTES, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, NetworkError } from '../ground/system/errors.ts';
import type { SeededCondition } from './conditions.ts';

export type NamespaceName = 'client' | 'server' | 'middle' | 'uplink';

/** A namespace of the path, or `machine`: the one in which the run was started. */
export type NamespaceOrMachine = NamespaceName | 'machine';

/** Settings of the user-space link for the packets of one direction. */
export interface LinkDirection
  extends Pick<SeededCondition, 'jitterMs' | 'lossPercent' | 'burstLoss' | 'seed'> {
  delayMs: number;
  /** null: no limit. */
  rateKbps: number | null;
  /** File of a recorded link, which replaces the rate; read once. */
  traceFile?: string;
  /** A packet is dropped if the queue would exceed this size. */
  queueBytes: number;
  /** Numbers (1, 2 ...) of the load's packets with transport payload that are lost in addition to random loss. */
  losesDataPackets?: readonly number[];
  /** Treatment of UDP, and the bytes of it that pass at once after a pause. Default: UDP is treated like TCP. */
  udp?: UdpTreatment & { burstBytes: number };
}

export interface LinkEvent {
  /** After the first packet to a server. */
  afterMs: number;
  /** How long the path is cut; null: no cut, the connections change instead. */
  cutMs: number | null;
  /** New client address; null: unchanged, with other ports if connections change. */
  address: string | null;
}

/** Counts of one direction since setLink(). */
export interface LinkCounts extends Required<DirectionCounts> {
  /** Largest delay between the due time of a packet and its departure. */
  maxLatenessMs: number;
}

/** Progress of the load's event. */
export type LinkEventCounts = NonNullable<PathCounts['event']>;

/** Counts since setLink(). */
interface LinkReport {
  toServer: LinkCounts;
  toClient: LinkCounts;
  event: LinkEventCounts;
  /** Processor time of the link. */
  processorMs: number;
}

/** Devices of the user-space link and properties of their packets. */
interface LinkDevices {
  client: string;
  server: string;
  longestPacketBytes: number;
  /** Whether the kernel may hand over packets of several segments. */
  segmentation: boolean;
}

export interface TappedPacket {
  /** Sent by the client. */
  toServer: boolean;
  /** Time of the kernel, since 1970. */
  timeNs: bigint;
  /** The packet from its IP header on; a very long one is truncated. */
  bytes: Buffer;
}

/** Packets since the last request, in order of time. */
export interface TappedPackets {
  packets: TappedPacket[];
  /** Packets that did not fit in the ring. */
  missed: number;
  /** Absent: only some packets were recorded. */
  counts?: ClientCounts | undefined;
}

/** Packets that the client sent and received, likewise. */
export interface ClientCounts {
  /** Segments with an acknowledgement only, and received ones with data. */
  tcp: {
    acknowledgements: number;
    dataPackets: number;
    /** Of these acknowledgements, not scaled; null: one may be missed. */
    largestWindow: number | null;
  };
  /** Packets after the handshake, which are encrypted. */
  quic: { sentPackets: number; receivedPackets: number };
}

/** Counts of the namespace `middle` since the load began. */
interface MiddleCounts {
  toServer: Pick<LinkCounts, 'packets' | 'bytes'>;
  toClient: Pick<LinkCounts, 'packets' | 'bytes'>;
  /** Packets not counted because the ring was full. */
  missed: number;
}

/** What the user-space link changes about the load's connections in addition to the condition. */
export type Interventions = Pick<ArmSettings, 'handshake' | 'countedWindowBytes'>;

export interface LoadOptions extends Interventions {
  /** Whether packets of already open connections count too. */
  keepsConnections: boolean;
  /** Whether every packet counts and may be lost, including ICMP and packets of earlier connections. */
  everything: boolean;
  captures: boolean;
  /** Sampling interval of the kernel's TCP_INFO for the load's connections; null: not sampled. */
  tcpInfoMs: number | null;
  /** The end that sends. */
  tcpInfoEnd: 'client' | 'server';
}

type CountingOptions = Pick<LoadOptions, 'keepsConnections' | 'captures'>;

/** Names known to the name server at the client's end; any other name does not exist. */
export interface ServedNames {
  /** Host to its IPv4 address. */
  addresses: Readonly<Record<string, string>>;
  /** Protocols in the HTTPS record of each name; null: no such record. */
  httpsRecord: readonly string[] | null;
}

export interface DnsQuery {
  name: string;
  /** Record type: 1 is A, 65 is HTTPS. */
  type: number;
  records: number;
}

/** The number of packets or samples that did not fit in memory and are missing from the file. */
export interface WriteResult {
  missed: number;
}

export class CommandError extends NetworkError {}

/**
 * The process that holds the network namespaces, whose processes end with it. A request throws NetworkError if this
 * process, the link's program or the holder of a namespace has ended or does not answer in time.
 */
export interface PathAgent {
  /** Whether it runs without privileges, in its own user namespace. */
  userNamespace: boolean;
  /** Priority of the user-space link; before it is opened, the one it would get. */
  realtime: 'fifo' | 'eevdf' | 'none';
  /**
   * Runs a program in a namespace and returns its output.
   * @throws CommandError with command, namespace and stderr.
   */
  run(namespace: NamespaceOrMachine, command: readonly string[]): Promise<string>;
  /**
   * Creates a TUN device in the client's and in the server's namespace, and a link between them.
   * @throws MachineError if this machine does not allow TUN devices.
   */
  openLink(devices: LinkDevices): Promise<void>;
  /** Applies the settings and resets the counts. */
  setLink(
    settings: {
      toServer: LinkDirection;
      toClient: LinkDirection;
      event?: LinkEvent;
    } & CountingOptions &
      Interventions &
      Pick<LoadOptions, 'everything'>,
  ): Promise<void>;
  countLink(): Promise<LinkReport>;
  /** Samples of 10 ms since setLink(), for at most ten minutes; the last one is incomplete. */
  sampleLink(): Promise<LinkSample[]>;
  /**
   * Starts to keep the first packets of the client's connections on a device of its namespace.
   * @throws MachineError if this machine does not allow packet sockets.
   */
  openTap(device: string): Promise<void>;
  /** Takes the packets out of the tap, each truncated to `mostBytes`; null or absent: whole. */
  takePackets(mostBytes?: number | null): Promise<TappedPackets>;
  /**
   * Starts to count the packets that leave these devices of the namespace `middle`.
   * @throws MachineError as openTap() does.
   */
  openCounter(devices: {
    toServer: string;
    toClient: string;
    longestPacketBytes: number;
  }): Promise<void>;
  beginLoad(options: CountingOptions): Promise<void>;
  countPackets(): Promise<MiddleCounts>;
  /**
   * Appends the load's packets up to the last count to a pcapng file.
   * @throws CommandError if the file cannot be written
   */
  writeCapture(file: string): Promise<WriteResult>;
  /**
   * Starts to sample TCP_INFO of the connections at one end; at the servers' end also of servers beyond the path on this machine.
   * @throws MachineError if the kernel does not support it
   */
  beginTcpInfo(options: {
    everyMs: number;
    keepsConnections: boolean;
    end: LoadOptions['tcpInfoEnd'];
    /** Address of the client, which selects the connections of this machine. */
    client: string;
  }): Promise<void>;
  endTcpInfo(): Promise<void>;
  /**
   * Ends the sampling, and appends the samples to a file of gzipped lines.
   * @throws CommandError if the file cannot be written
   */
  writeTcpInfo(file: string): Promise<WriteResult>;
  /**
   * Sets the names of the client's name server, started if necessary, and clears its queries.
   * @throws CommandError if the name server has ended or does not answer
   */
  serveNames(names: ServedNames): Promise<void>;
  /**
   * The first 1000 queries since serveNames().
   * @throws CommandError as serveNames() does
   */
  dnsQueries(): Promise<DnsQuery[]>;
  /**
   * Has the kernel pace the TCP connections that servers at the path's end accept from now on.
   * @param addresses `ip:port` of their listening sockets
   * @throws CommandError if nothing listens there, or this machine does not allow it
   */
  paceTcp(addresses: readonly string[]): Promise<void>;
  /** The process that holds a namespace: `ip` accepts its id without rights on the process. */
  holderOf(namespace: NamespaceName): number;
  /** Command prefix that enters a namespace: `nsenter ... --`, or empty. */
  enter(namespace: NamespaceOrMachine): string[];
}

interface PathAgentOptions {
  python: string;
  namespaces: readonly NamespaceName[];
  /** Prefix of the agent's command. */
  prefix?: readonly string[];
  signal?: AbortSignal;
  answerLimitMs?: number;
}

const AGENT_PROGRAM = path.join(import.meta.dirname, 'agent', 'agent.py');
/** No environment variables, no packages of the user, no bytecode files. */
export const PYTHON_FLAGS = ['-B', '-E', '-s'];
const LINK_COMMAND = [bun.program, path.join(import.meta.dirname, 'userspace', 'link', 'link.ts')];
const STOP_LIMIT_MS = 2000;
/** Allows for a busy or emulated machine. */
const START_LIMIT_MS = 30_000;
/** Timeout of an answer, longer than the agent's own: 8 s for a command, 5 s for the link. */
const ANSWER_LIMIT_MS = 10_000;
/** Status of the answer to a request that this machine does not allow. */
const NOT_ALLOWED = 3;
/** Exit code of startChild() for a program that is missing or not executable. */
const CANNOT_START = 127;
const COMPLAINT_LINES = 12;
const COMPLAINT_BYTES = 4000;

interface Introduction {
  pids: Record<NamespaceName, number>;
  userNamespace: boolean;
  realtime: PathAgent['realtime'];
}

/** Answer if the machine lacks something. */
interface Refusal {
  error: string;
  remedy: string;
}

/** Common fields of every answer; with status 0 the result's fields follow. */
interface Answer extends Partial<Refusal> {
  id: number;
  status: number;
  stderr?: string;
  /** Set if a part of the path has ended, not if the command failed. */
  gone?: true;
}

type PacketAnswer = { toServer: boolean; timeNs: string; bytes: string };

/** Samples of both directions, step by step. */
interface SamplesAnswer {
  beganMs: number;
  stepMs: number;
  steps: [toServer: SampleNumbers, toClient: SampleNumbers][];
  next: number | null;
}

type SampleNumbers = [
  packets: number,
  bytes: number,
  lost: number,
  queueDrops: number,
  busyNs: number,
  mostQueuedBytes: number,
  mostWaitNs: number,
  capacityBytes: number,
];

/**
 * Creates network namespaces for `use`, and removes them with everything in them.
 * @throws MachineError if this machine does not allow namespaces, with the remedy;
 *   NetworkError if the agent ends too early or does not start in time.
 */
export async function withPathAgent<T>(
  options: PathAgentOptions,
  use: (agent: PathAgent) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  const { python, prefix = [], namespaces, answerLimitMs = ANSWER_LIMIT_MS } = options;
  const [command = python, ...args] = [...prefix, python];
  const child = startChild(command, [...args, ...PYTHON_FLAGS, AGENT_PROGRAM, ...namespaces]);
  try {
    const lines = new AgentConnection(child, options.signal);
    const introduction = JSON.parse(await lines.next(START_LIMIT_MS)) as Introduction | Refusal;
    if ('error' in introduction) throw refusalError(introduction);
    return await use(agentOf(introduction, lines, answerLimitMs));
  } finally {
    await child.stop(STOP_LIMIT_MS);
  }
}

function agentOf(
  { pids, userNamespace, realtime: tried }: Introduction,
  lines: AgentConnection,
  answerLimitMs: number,
): PathAgent {
  let lastId = 0;
  let realtime = tried;
  let turn: Promise<unknown> = Promise.resolve();
  const send = <A>(request: object, what: string): Promise<A> => {
    const id = ++lastId;
    const answered = turn.then(async () => {
      lines.write(JSON.stringify({ id, ...request }));
      const answer = JSON.parse(await lines.next(answerLimitMs)) as Answer & A;
      if (answer.id !== id) throw new Error(`the path agent answered ${answer.id}, not ${id}`);
      if (answer.status === NOT_ALLOWED && answer.remedy !== undefined)
        throw refusalError(answer as Refusal);
      if (answer.status !== 0) throw failureError(what, answer, lines.complaint());
      return answer;
    });
    turn = answered.catch(() => {});
    return answered;
  };
  /** Repeats until all parts are written: one answer for all would take too long. */
  const append = async (
    what: string,
    partFrom: (first: number) => object,
  ): Promise<WriteResult> => {
    for (let first = 0; ; ) {
      const { next, missed } = await send<WriteResult & { next: number | null }>(
        partFrom(first),
        what,
      );
      if (next === null) return { missed };
      first = next;
    }
  };
  return {
    userNamespace,
    get realtime() {
      return realtime;
    },
    async run(namespace, command) {
      const what = `\`${command.join(' ')}\` in the ${namespace} namespace`;
      return (await send<{ stdout: string }>({ namespace, run: command }, what)).stdout;
    },
    async openLink(devices) {
      const opened = send<Pick<PathAgent, 'realtime'>>(
        { openLink: { ...devices, program: LINK_COMMAND } },
        'Opening the user-space link',
      );
      ({ realtime } = await opened);
    },
    setLink: (settings) => send({ setLink: settings }, 'Setting the user-space link'),
    countLink: () => send({ countLink: true }, 'Counting on the link'),
    async sampleLink() {
      const samples: LinkSample[] = [];
      for (let next: number | null = 0; next !== null; ) {
        const answered: SamplesAnswer = await send<SamplesAnswer>(
          { sampleLink: { first: next } },
          'Taking samples of the link',
        );
        samples.push(...samplesOf(answered, samples.length));
        ({ next } = answered);
      }
      return samples;
    },
    openTap: (device) => send({ openTap: { namespace: 'client', device } }, 'Opening the tap'),
    async takePackets(mostBytes = null) {
      const { packets, missed, counts } = await send<
        Omit<Required<TappedPackets>, 'packets'> & { packets: PacketAnswer[] }
      >({ takePackets: { mostBytes } }, 'Taking packets from the tap');
      return { packets: packets.map(decodePacket), missed, counts };
    },
    openCounter: (devices) =>
      send({ openCounter: { namespace: 'middle', ...devices } }, 'Opening the counter'),
    beginLoad: (options) => send({ beginLoad: options }, 'Counting packets from zero'),
    countPackets: () => send({ countPackets: true }, 'Counting packets'),
    writeCapture: (file) =>
      append(`Writing packets to ${file}`, (first) => ({ writeCapture: { file, first } })),
    beginTcpInfo: (options) => send({ sampleTcp: { begin: options } }, 'Sampling TCP_INFO'),
    endTcpInfo: () => send({ sampleTcp: { end: true } }, 'Sampling TCP_INFO no more'),
    writeTcpInfo: (file) =>
      append(`Writing TCP_INFO to ${file}`, (first) => ({ sampleTcp: { write: { file, first } } })),
    serveNames: (names) => send({ names: { serve: names } }, 'Serving names'),
    async dnsQueries() {
      const what = 'Reading the queries of the name server';
      return (await send<{ queries: DnsQuery[] }>({ names: { queries: true } }, what)).queries;
    },
    paceTcp: (addresses) =>
      send(
        { paceTcp: { namespace: 'server', addresses } },
        `Pacing TCP of ${addresses.join(', ')}`,
      ),
    holderOf: (namespace) => pids[namespace],
    enter(namespace) {
      if (namespace === 'machine') return [];
      const of = `/proc/${pids[namespace]}/ns`;
      if (!userNamespace) return ['nsenter', `--net=${of}/net`, '--'];
      // As the same user, so that a browser can make a sandbox in there.
      return ['nsenter', `--user=${of}/user`, `--net=${of}/net`, '--preserve-credentials', '--'];
    },
  };
}

function decodePacket({ toServer, timeNs, bytes }: PacketAnswer): TappedPacket {
  return { toServer, timeNs: BigInt(timeNs), bytes: Buffer.from(bytes, 'base64') };
}

function samplesOf({ beganMs, stepMs, steps }: SamplesAnswer, first: number): LinkSample[] {
  return steps.map(([toServer, toClient], step) => ({
    atMs: beganMs + (first + step) * stepMs,
    forMs: stepMs,
    toServer: directionSample(toServer),
    toClient: directionSample(toClient),
  }));
}

function directionSample(numbers: SampleNumbers): LinkSample['toServer'] {
  const [packets, bytes, lost, queueDrops, busyNs, queuedBytes, waitNs, capacityBytes] = numbers;
  return {
    packets,
    bytes,
    lost,
    queueDrops,
    busyMs: busyNs / 1e6,
    mostQueuedBytes: Math.round(queuedBytes),
    mostWaitMs: waitNs / 1e6,
    capacityBytes,
  };
}

function refusalError({ error, remedy }: Refusal): MachineError {
  return new MachineError(
    `The path between browser and servers cannot be made on this machine: ${error}.\n` +
      `What to do: ${remedy}.`,
  );
}

/** @param lastWords stderr of the agent's processes, which explains why one of them ended */
function failureError(
  what: string,
  { status, stderr, gone }: Answer,
  lastWords: string,
): NetworkError {
  const complaint = stderr?.trim() || '(no error message)';
  if (gone) {
    return new NetworkError(`The path failed: ${complaint}. (Request: ${what}.)${lastWords}`);
  }
  return new CommandError(`${what} failed with status ${status}: ${complaint}`);
}

/** Connection to the agent, line by line. */
class AgentConnection {
  readonly #child: Child;
  readonly #signal: AbortSignal | undefined;
  readonly #lines: AsyncIterator<string>;
  readonly #complaints: string[] = [];
  /** Set after a missing answer, which could later be taken for the answer to the next request. */
  #noAnswerError: NetworkError | null = null;

  constructor(child: Child, signal: AbortSignal | undefined) {
    const { stdout, stderr } = child.process;
    if (!stdout || !stderr) throw new Error('path agent without pipes');
    this.#child = child;
    this.#signal = signal;
    this.#lines = textLines(stdout, { maxBytes: LINE_BYTES.own });
    void this.#keepComplaints(stderr);
  }

  async #keepComplaints(stderr: Readable): Promise<void> {
    for await (const line of textLines(stderr, { maxBytes: COMPLAINT_BYTES, longer: 'cut' })) {
      this.#complaints.push(line);
      if (this.#complaints.length > COMPLAINT_LINES) this.#complaints.shift();
    }
  }

  /** The last lines of stderr of the agent and its processes. */
  complaint(): string {
    return this.#complaints.map((line) => `\n  ${line}`).join('');
  }

  write(line: string): void {
    this.#child.process.stdin?.write(`${line}\n`);
  }

  /**
   * The next line of stdout.
   * @throws NetworkError if it does not arrive in time; every later call fails too.
   */
  async next(limitMs: number): Promise<string> {
    if (this.#noAnswerError) throw this.#noAnswerError;
    const late = () => {
      this.#noAnswerError = new NetworkError(
        `The path agent did not answer within ${limitMs / 1000} s: it has stopped, or the machine is too busy.`,
      );
      throw this.#noAnswerError;
    };
    return withDeadline(this.#nextOrEnd(), limitMs, late, this.#signal);
  }

  async #nextOrEnd(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (!done) return value;
    // The last error message arrives with the end of the process.
    const end = await this.#child.ended;
    const complaint = this.complaint();
    if (end === CANNOT_START) {
      throw new MachineError(`Python cannot be started:${complaint}\nWhat to do: npm run setup.`);
    }
    throw new NetworkError(`The path agent ended (${end}) unexpectedly.${complaint}`);
  }
}
