import path from 'node:path';
import type { Readable } from 'node:stream';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { DirectionCounts, PathCounts, UdpTreatment } from '../ground/records/network.ts';
import { bun } from '../ground/runtimes/bun.ts';
import { LINE_BYTES, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, NetworkError } from '../ground/system/errors.ts';
import type { SeededCondition } from './conditions.ts';

export type NamespaceName = 'client' | 'server' | 'middle' | 'uplink';

/** A namespace of the path, or the one where the run was started. */
export type NamespaceOrMachine = NamespaceName | 'machine';

/** What the user-space link does to the packets of one direction. */
export interface LinkDirection
  extends Pick<SeededCondition, 'jitterMs' | 'lossPercent' | 'burstLoss' | 'seed'> {
  delayMs: number;
  /** null: no limit. */
  rateKbps: number | null;
  /** The file of a recorded link, in place of a rate; left out: none. It is read once. */
  traceFile?: string;
  /** Packets that would make more bytes than these wait are dropped. */
  queueBytes: number;
  /** Numbers (1, 2 ...) of packets of the load with transport payload that are lost, whatever chance says; left out: none. */
  losesDataPackets?: readonly number[];
  /** What becomes of UDP, and how many bytes of it pass at once after a pause; left out: what becomes of any packet. */
  udp?: UdpTreatment & { burstBytes: number };
}

export interface LinkEvent {
  /** After the first packet to a server. */
  afterMs: number;
  /** How long the path is cut; null: it is not, and connections change. */
  cutMs: number | null;
  /** The client's from then on; null: its own, with other ports where connections change. */
  address: string | null;
}

/** What the link has counted in one direction since it was set. */
export interface LinkCounts extends Required<DirectionCounts> {
  /** By how much the latest packet left too late. */
  maxLatenessMs: number;
}

/** What the event of a load has done by now. */
export type LinkEventCounts = NonNullable<PathCounts['event']>;

/** What the link has done since it was set. */
interface LinkReport {
  toServer: LinkCounts;
  toClient: LinkCounts;
  event: LinkEventCounts;
  /** Processor time that it took. */
  processorMs: number;
}

/** The devices of the user-space link, and what their packets may be like. */
interface LinkDevices {
  client: string;
  server: string;
  longestPacketBytes: number;
  /** Whether packets of several segments are taken as they are, where the kernel makes such. */
  segmentation: boolean;
}

export interface TappedPacket {
  /** Sent by the client. */
  toServer: boolean;
  /** When the kernel saw it, since 1970. */
  timeNs: bigint;
  /** From its IP header on; a very long one is cut. */
  bytes: Buffer;
}

/** What a tap has seen since it was last asked, in that order. */
export interface TappedPackets {
  packets: TappedPacket[];
  /** How many packets found no room. */
  missed: number;
}

/** What was counted in the middle since the load began. */
interface MiddleCounts {
  toServer: Pick<LinkCounts, 'packets' | 'bytes'>;
  toClient: Pick<LinkCounts, 'packets' | 'bytes'>;
  /** How many packets were not counted, because nobody asked for too long. */
  missed: number;
}

export interface LoadOptions {
  /** Whether packets of connections that are open already count too, as in a load that goes on over them. */
  keepsConnections: boolean;
  /** Whether every packet counts and is lost by chance as any, also those of no connection (ICMP) and of earlier ones. */
  everything: boolean;
  captures: boolean;
  /** Every how many ms the kernel at one end is asked for its TCP_INFO of the load's connections; null: never. */
  tcpInfoMs: number | null;
  /** At which end, the one that sends. */
  tcpInfoEnd: 'client' | 'server';
}

type CountingOptions = Pick<LoadOptions, 'keepsConnections' | 'captures'>;

/** What the name server at the client's end of a path knows; every other name does not exist. */
export interface ServedNames {
  /** Host to its IPv4 address. */
  addresses: Readonly<Record<string, string>>;
  /** The protocols that the HTTPS record of each of them names; null: there is no such record. */
  httpsRecord: readonly string[] | null;
}

/** A question that it was asked. */
export interface DnsQuery {
  name: string;
  /** The number of the record's type: 1 is A, 65 is HTTPS. */
  type: number;
  records: number;
}

/** How many packets or samples found no room; the others are in the file. */
export interface WriteResult {
  missed: number;
}

export class CommandError extends NetworkError {}

/**
 * The process that holds the network namespaces; everything in them ends with it. Every request ends in a NetworkError
 * when this process, the link's program or the holder of a namespace is gone, or does not answer in time.
 */
export interface PathAgent {
  /** Whether it works as an ordinary user, in a user namespace of its own. */
  userNamespace: boolean;
  /** The priority that the user-space link has; before it is opened, the one that it would get on this machine. */
  realtime: 'fifo' | 'eevdf' | 'none';
  /**
   * Runs a program in a namespace and returns what it printed.
   * @throws CommandFailed naming command, namespace and the program's complaint.
   */
  run(namespace: NamespaceOrMachine, command: readonly string[]): Promise<string>;
  /**
   * Makes a TUN device in each of two namespaces, with a link between them.
   * @throws MachineError when this machine does not allow TUN devices.
   */
  openLink(devices: LinkDevices): Promise<void>;
  /** Has the link behave as asked from now on, and counts from zero. */
  setLink(
    settings: {
      toServer: LinkDirection;
      toClient: LinkDirection;
      /** Left out: none. */
      event?: LinkEvent;
    } & CountingOptions &
      Pick<LoadOptions, 'everything'>,
  ): Promise<void>;
  countLink(): Promise<LinkReport>;
  /** What the link carried since it was set, in steps of 10 ms, the last of which goes on; what came after ten minutes is missing. */
  sampleLink(): Promise<LinkSample[]>;
  /**
   * Has the kernel keep the beginnings of the client's connections from now on, on a device of its namespace.
   * @throws MachineError when this machine does not allow packet sockets.
   */
  openTap(device: string): Promise<void>;
  /** Takes what the tap has kept, of each packet at most so many bytes; left out: all. */
  takePackets(mostBytes?: number | null): Promise<TappedPackets>;
  /**
   * Has the packets counted that leave these devices of the middle.
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
   * Appends the load's packets to a pcapng file, as far as they were counted last.
   * @throws CommandFailed when the file cannot be written
   */
  writeCapture(file: string): Promise<WriteResult>;
  /**
   * Samples TCP_INFO of connections at one end from now on.
   * @throws MachineError when this machine's kernel does not tell it
   */
  beginTcpInfo(options: {
    everyMs: number;
    keepsConnections: boolean;
    end: LoadOptions['tcpInfoEnd'];
  }): Promise<void>;
  endTcpInfo(): Promise<void>;
  /**
   * Ends that too, and appends what was sampled to a file of gzipped lines.
   * @throws CommandFailed when the file cannot be written
   */
  writeTcpInfo(file: string): Promise<WriteResult>;
  /**
   * Has the name server of the client's namespace know these names from now on, and forget what it was asked; it is started when it is not there.
   * @throws CommandFailed when it is gone or does not answer
   */
  serveNames(names: ServedNames): Promise<void>;
  /**
   * What it was asked since then, the first 1000 questions.
   * @throws CommandFailed as serveNames() does
   */
  askedNames(): Promise<DnsQuery[]>;
  /** The process that stands for a namespace: unlike its file, `ip` may use that without any right on the process. */
  holderOf(namespace: NamespaceName): number;
  /** What to put before a command so that it runs in a namespace: `nsenter ... --`, or nothing. */
  enter(namespace: NamespaceOrMachine): string[];
}

interface PathAgentOptions {
  python: string;
  namespaces: readonly NamespaceName[];
  /** What to put before its command. */
  prefix?: readonly string[];
  signal?: AbortSignal;
  answerLimitMs?: number;
}

const AGENT_PROGRAM = path.join(import.meta.dirname, 'agent', 'agent.py');
/** Neither the environment nor the user's packages have a say, and nothing is written beside the source. */
export const PYTHON_FLAGS = ['-B', '-E', '-s'];
const LINK_COMMAND = [bun.program, path.join(import.meta.dirname, 'userspace', 'link', 'link.ts')];
const STOP_LIMIT_MS = 2000;
/** Python has to start, maybe on a machine that is busy or emulated. */
const START_LIMIT_MS = 30_000;
/** The agent itself gives up on a command after 8 s, and on the link after 5 s. */
const ANSWER_LIMIT_MS = 10_000;
/** The agent's word for what this machine does not allow. */
const NOT_ALLOWED = 3;
/** What startChild() says of a program that is not there or may not be run. */
const CANNOT_START = 127;
const COMPLAINT_LINES = 12;
const COMPLAINT_BYTES = 4000;

interface Introduction {
  pids: Record<NamespaceName, number>;
  userNamespace: boolean;
  realtime: PathAgent['realtime'];
}

/** What the agent answers when the machine lacks something. */
interface Refusal {
  error: string;
  remedy: string;
}

/** What every answer may have; when the status is 0, what was asked for is beside it. */
interface Answer extends Partial<Refusal> {
  id: number;
  status: number;
  stderr?: string;
  /** Set when it is not the command that failed, but something of the path is gone. */
  gone?: true;
}

type PacketAnswer = { toServer: boolean; timeNs: string; bytes: string };

/** Samples of the link as they are answered: of each step both directions. */
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
 * Makes network namespaces, hands them on, and removes them with everything in them.
 * @throws MachineError when this machine does not allow namespaces, with what to allow;
 *   NetworkError when the agent ends too early or does not start in time.
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
  /** Asks until everything is written: it is in parts, so that no answer takes too long. */
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
      const { packets, missed } = await send<{ packets: PacketAnswer[]; missed: number }>(
        { takePackets: { mostBytes } },
        'Taking packets from the tap',
      );
      return { packets: packets.map(decodePacket), missed };
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
    async askedNames() {
      const what = 'Asking the name server what it was asked';
      return (await send<{ asked: DnsQuery[] }>({ names: { asked: true } }, what)).asked;
    },
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

/** @param lastWords of the agent's processes, which tell why one of them is gone */
function failureError(
  what: string,
  { status, stderr, gone }: Answer,
  lastWords: string,
): NetworkError {
  const complaint = stderr?.trim() || '(it said nothing)';
  if (gone) {
    return new NetworkError(
      `The path is broken: ${complaint}. (${what} was asked for.)${lastWords}`,
    );
  }
  return new CommandError(`${what} failed with status ${status}: ${complaint}`);
}

/** The agent's side of the conversation, line by line. */
class AgentConnection {
  readonly #child: Child;
  readonly #signal: AbortSignal | undefined;
  readonly #lines: AsyncIterator<string>;
  readonly #complaints: string[] = [];
  /** Set once an answer did not come: a late one would be taken for the next one's. */
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

  /** What the agent and its processes wrote to stderr last, line by line. */
  complaint(): string {
    return this.#complaints.map((line) => `\n  ${line}`).join('');
  }

  write(line: string): void {
    this.#child.process.stdin?.write(`${line}\n`);
  }

  /**
   * The next line, in the order said.
   * @throws NetworkError when it does not come in time, now and from then on.
   */
  async next(limitMs: number): Promise<string> {
    if (this.#noAnswerError) throw this.#noAnswerError;
    const late = () => {
      this.#noAnswerError = new NetworkError(
        `The path agent did not answer within ${limitMs / 1000} s: it is stopped, or the machine is too busy.`,
      );
      throw this.#noAnswerError;
    };
    return withDeadline(this.#nextOrEnd(), limitMs, late, this.#signal);
  }

  async #nextOrEnd(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (!done) return value;
    // Its last complaint comes with its end.
    const end = await this.#child.ended;
    const complaint = this.complaint();
    if (end === CANNOT_START) {
      throw new MachineError(`Python cannot be started:${complaint}\nWhat to do: npm run setup.`);
    }
    throw new NetworkError(`The path agent ended (${end}) unexpectedly.${complaint}`);
  }
}
