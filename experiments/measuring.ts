import type { SiteManifest } from '../cache/manifest.ts';
import type { Clocks } from '../ground/host/heartbeat.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import { NOT_TOGETHER } from '../ground/records/counted-loads.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { ClientRecord, Observation, Outcome } from '../ground/records/observation.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { QuicConnection } from '../ground/records/quic-sample.ts';
import type { ArmSettings, RunChoices, Trial } from '../ground/records/run.ts';
import { startStopwatch } from '../ground/system/stopwatch.ts';
import type { Path } from '../network/path.ts';
import { AttemptEnded, failed } from './checks.ts';

/** Result of one attempt at a trial, from which the frame makes its record. */
export interface Attempt
  extends Pick<
    Observation,
    'code' | 'message' | 'metrics' | 'path' | 'connections' | 'machine' | 'stepsMs' | 'files'
  > {
  outcome: Outcome;
  /** Fields of this experiment alone; null: the attempt never began. */
  details: unknown;
  /** null: the client could not be started. */
  client: ClientRecord | null;
  startedAt: Date;
  /** Attempts of the other arms of the block, where an experiment measures them together. */
  otherArms?: ReadonlyMap<string, Attempt>;
}

/** An attempt that ended before anything was measured. */
export const EMPTY_ATTEMPT = {
  client: null,
  metrics: {},
  machine: null,
  path: null,
  connections: null,
  details: null,
  files: {},
  stepsMs: {},
} as const satisfies Partial<Attempt>;

/** Facts of a page of the live web, known before its loads. */
export interface LivePageFacts {
  /** `host:port` of its hosts that speak HTTP/3; loads by HTTP/3 force QUIC on them. */
  quicHosts: readonly string[];
  /** Why its remaining hosts do not, by `host:port`. */
  withoutQuic: Readonly<Record<string, string>>;
}

/** A started server of one of the run's arms. */
export interface ReadyServer {
  stack: {
    stack: string;
    protocol: Protocol;
    serverStack?: { transport?: ConnectionTransport };
    browser?: string;
    quicVersion?: 2;
    controlOf?: string;
    settings?: ArmSettings;
  };
  /** Host to its server's `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Hosts of an arm over HTTP/3 that another server answers by HTTP/2; absent: none. */
  http2Hosts?: readonly string[];
  /** First process of that other server; absent or empty: none, or not known. */
  http2Pids?: readonly number[];
  /** Base64 SHA-256 of the public keys of its certificates. */
  spkiPins: readonly string[];
  /** PEM file of the authority of its certificates; absent: unknown. */
  authority?: string;
  /** First process; null: not known. */
  pid: number | null;
  /** Absent: a server outside this project, whose key exchange is not set. */
  keyExchange?: KeyExchange;
  /** Facts of a server that was running before; absent: the run started it. */
  shown?: object;
  /** Absent: a server of the bench. */
  live?: LivePageFacts;
  /** Outcome of attempts that are skipped because they cannot succeed; absent: none is skipped. */
  skipResult?: Pick<Attempt, 'outcome' | 'code' | 'message'>;
  /** Passes each line that it prints to the listener, until the returned function is called. */
  follow(listener: (line: string) => void): () => void;
  /** Samples of its QUIC connections since the last call; absent: it takes no samples. */
  transportSamples?(): Promise<QuicConnection[]>;
}

/** Everything that the measurement of one subject uses. */
export interface Bench {
  /** The page or host. */
  url: string;
  /** The served site; null: the subject is a live host. */
  manifest: SiteManifest | null;
  /** Folder of the manifest and its bodies; '': there is no manifest. */
  siteFolder: string;
  /** One for each arm, except for arms that did not start or have no loads left. */
  servers: readonly ReadyServer[];
  /** Trials of a trial's block, in order. */
  blockOf(trial: Trial): readonly Trial[];
  /** The stored attempts of the run, including those of earlier invocations. */
  recordedAttempts(): AsyncIterable<Observation>;
  path: Pick<
    Path,
    | 'apply'
    | 'connections'
    | 'count'
    | 'samples'
    | 'longestPacketBytes'
    | 'answeredRandoms'
    | 'names'
    | 'writeCapture'
    | 'writeTcpInfo'
    | 'setTcp'
  >;
  /** Paths of the client programs. */
  programs: { chromium: string; bun: string; browsers?: Readonly<Record<string, string>> };
  /** Prefix of a command that runs it at the client's end of the path, on the client's cores. */
  enter: readonly string[];
  choices: RunChoices;
  /** Whether any condition of the run changes the path during attempts. */
  hasEvents: boolean;
  timeoutS: number;
  /** Program name to version. */
  versions: Readonly<Record<string, string>>;
  results: {
    /** The writers return the file's path relative to the run's folder. */
    writeHar(id: string, har: object): Promise<string>;
    /** Begins a file with `header`; `add` appends the packets. */
    writePackets(
      id: string,
      header: Uint8Array,
      add: (file: string) => Promise<void>,
    ): Promise<string>;
    /** `add` appends samples of TCP_INFO to an empty file. */
    writeTcpInfo(id: string, add: (file: string) => Promise<void>): Promise<string>;
    /** Writes samples of the link as a table. */
    writeLink(id: string, table: string): Promise<string>;
    /** Writes the film of a load. */
    writeFilm(id: string, film: object): Promise<string>;
    writeProfile(fileName: string, text: string): Promise<string>;
    /** Keeps the NetLog of an ended browser, by the browser's id. */
    keepNetLog(id: string, netLogFile: string): Promise<void>;
  };
  /** Warns the user of something that does not belong in a single record. */
  warn(sentence: string): void;
  signal?: AbortSignal;
  /** Clocks that detect stalls of the machine; absent: the machine's own. */
  clocks?: Clocks;
}

/** A client of the servers of a subject, kept for a group of blocks. */
export interface Client<Prepared = unknown> {
  /** Whether to replace it before the next block. */
  readonly isWorn: boolean;
  /** Key of the program that measures a trial: equal exactly if two trials share a program; absent: one program per arm. */
  clientKey?(trial: Pick<Trial, 'arm' | 'factors' | 'network'>): string;
  /** Warms servers and client up by several trials at once, without records; absent: warm-ups are recorded trials. */
  warmUp?(trials: readonly Trial[]): Promise<void>;
  /** Prepares a trial without sending anything over the path. */
  prepare(trial: Trial): Promise<Prepared>;
  /** Measures a trial. Errors become the attempt's failure; only an interruption is thrown. */
  measure(prepared: Prepared): Promise<Attempt>;
  /** Resolves when the next trial may be prepared, which may be before this one ends. */
  readyForNext(prepared: Prepared): Promise<void>;
  /** Removes everything that a trial has left. */
  dispose(prepared: Prepared): Promise<void>;
  close(): Promise<void>;
}

/** How an experiment measures: `measuring` of its `measure.ts`, which only the runner loads. */
export interface Measurer {
  open(bench: Bench): Client;
  /** Ends processes that outlive the clients; absent: no such processes. */
  end?(): Promise<void>;
}

/** A trial that is ready to be measured. */
export interface Prepared<Ready = unknown> {
  trial: Trial;
  /** Result of the preparation, or why it failed. */
  ready: Ready | AttemptEnded;
  prepareMs: number;
  /** Resolves when the next trial may be prepared. */
  readyForNext: PromiseWithResolvers<void>;
}

/** Functions of an experiment from which `clientFrom` makes a client. */
interface ClientParts<Ready> extends Partial<Pick<Client, 'clientKey' | 'warmUp' | 'close'>> {
  isWorn?(): boolean;
  /** Prepares a trial; an error becomes the trial's failure. Absent: no preparation. */
  prepare?(trial: Trial): Promise<Ready>;
  /** Converts an error of `prepare`. */
  endedBy?(error: Error): AttemptEnded;
  measure(prepared: Prepared<Ready>): Promise<Attempt>;
  /** Cleans up after a trial, before the next one is prepared. Absent: the next one need not wait. */
  leave?(ready: Ready): Promise<void>;
}

/** A client that prepares trials one ahead. */
export function clientFrom<Ready = undefined>({
  isWorn = () => false,
  prepare = async () => undefined as Ready,
  endedBy = ({ message }) => new AttemptEnded(failed({ code: 'client-failed', message })),
  measure,
  leave,
  close = async () => {},
  ...optional
}: ClientParts<Ready>): Client<Prepared<Ready>> {
  return {
    ...optional,
    get isWorn() {
      return isWorn();
    },
    async prepare(trial) {
      const step = startStopwatch();
      const ready = await prepare(trial).catch(endedBy);
      const readyForNext = Promise.withResolvers<void>();
      if (!leave) readyForNext.resolve();
      return { trial, ready, prepareMs: step(), readyForNext };
    },
    readyForNext: ({ readyForNext }) => readyForNext.promise,
    measure,
    async dispose({ ready, readyForNext }) {
      try {
        if (!(ready instanceof AttemptEnded)) await leave?.(ready);
      } finally {
        readyForNext.resolve();
      }
    },
    close,
  };
}

/** An attempt that is invalid because the arm that was measured with it failed. */
export function invalidWithArm(
  { arm }: Pick<Trial, 'arm'>,
  { code, message }: Pick<Attempt, 'code' | 'message'>,
) {
  return {
    outcome: 'invalid' as const,
    code: NOT_TOGETHER,
    message: `It is measured together with ${arm}, which failed (${code}): ${message}`,
  };
}

/**
 * Measures one trial, which may have been prepared ahead.
 * @param begin called when no other trial is in progress
 * @throws errors of `begin`, which prevent the measurement
 */
export async function measureTrial<Prepared>(
  trial: Trial,
  client: Client<Prepared>,
  preparing: Prepared | Promise<Prepared> = client.prepare(trial),
  begin?: (trial: Trial) => Promise<void>,
): Promise<Attempt> {
  const prepared = await preparing;
  try {
    await begin?.(trial);
    return await client.measure(prepared);
  } finally {
    await client.dispose(prepared);
  }
}

export function serverOf<Server extends ReadyServer>(
  arm: string,
  servers: readonly Server[],
): Server {
  const found = servers.find((each) => each.stack.stack === arm);
  if (!found) throw new Error(`no server for ${arm}`);
  return found;
}

/** The first process of a server that the run has started. */
export function pidOf({ pid, stack }: Pick<ReadyServer, 'pid' | 'stack'>): number {
  if (pid === null) throw new Error(`the process id of ${stack.stack} is not known`);
  return pid;
}
