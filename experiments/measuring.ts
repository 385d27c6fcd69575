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

/** What came of one attempt at a trial; the frame makes its record of it. */
export interface Attempt
  extends Pick<
    Observation,
    'code' | 'message' | 'metrics' | 'path' | 'connections' | 'machine' | 'stepsMs' | 'files'
  > {
  outcome: Outcome;
  /** What only this experiment has; null: it was never begun. */
  details: unknown;
  /** The program that asked; null: it could not be started. */
  client: ClientRecord | null;
  startedAt: Date;
  /** Of an experiment that measures the arms of a block together: what came of the other ones, by arm. */
  otherArms?: ReadonlyMap<string, Attempt>;
}

/** Of an attempt that ended before anything was seen of it. */
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

/** What is known of a page of the live web before its loads. */
export interface LivePageFacts {
  /** `host:port` of those of its hosts that speak HTTP/3: QUIC is forced on them where it is loaded by that. */
  quicHosts: readonly string[];
  /** Why others do not, by `host:port`. */
  withoutQuic: Readonly<Record<string, string>>;
}

/** A server that is ready to be asked, of one of the run's arms. */
export interface ReadyServer {
  stack: {
    stack: string;
    protocol: Protocol;
    asked?: { via?: ConnectionTransport };
    controlOf?: string;
    settings?: ArmSettings;
  };
  /** Host to the `ip:port` where it answers. */
  origins: Readonly<Record<string, string>>;
  /** Base64 SHA-256 of the public keys of its certificates. */
  spkiPins: readonly string[];
  /** Of its first process; null: not known. */
  pid: number | null;
  /** What it has for a key exchange; absent: it is not of this project, and nobody has told it. */
  keyExchange?: KeyExchange;
  /** Of a page that is there already; absent: a server of the bench. */
  live?: LivePageFacts;
  /** What its attempts come to without being made, as they would come to nothing; absent: they are made. */
  unasked?: Pick<Attempt, 'outcome' | 'code' | 'message'>;
  /** Hands on every line that it prints from now on, until what is returned is called. */
  follow(listener: (line: string) => void): () => void;
  /** Samples of its QUIC connections since it was asked before; absent: it takes none. */
  transportSamples?(): Promise<QuicConnection[]>;
}

/** All that measuring one subject may touch. */
export interface Bench {
  /** The address of the subject: of a page, or of a host. */
  url: string;
  /** What is served; null: nothing, hosts are asked that are there already. */
  manifest: SiteManifest | null;
  /** Where the manifest and its bodies lie; '': there is no manifest. */
  siteFolder: string;
  /** One for each arm, but for those that did not start and those of which no load is left. */
  servers: readonly ReadyServer[];
  /** The trials of a trial's block, in their order. */
  blockOf(trial: Trial): readonly Trial[];
  /** The attempts of the run that are on the disk, those of earlier invocations included. */
  made(): AsyncIterable<Observation>;
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
  /** The programs of this machine that ask. */
  programs: { chromium: string; bun: string };
  /** What to put before a command so that it runs at the client's end of the path, on its cores. */
  enter: readonly string[];
  choices: RunChoices;
  /** Whether something happens to the path in the middle of attempts, under any condition of the run. */
  hasEvents: boolean;
  timeoutS: number;
  /** Program name to version. */
  versions: Readonly<Record<string, string>>;
  results: {
    /** Writes a HAR and gives its path relative to the run's folder. */
    writeHar(id: string, har: object): Promise<string>;
    /** The same for packets: a file that begins with these bytes, to which `add` has the others appended. */
    writePackets(
      id: string,
      header: Uint8Array,
      add: (file: string) => Promise<void>,
    ): Promise<string>;
    /** The same for samples of TCP_INFO, which `add` has appended to an empty file. */
    writeTcpInfo(id: string, add: (file: string) => Promise<void>): Promise<string>;
    /** The same for what the link carried, as a table. */
    writeLink(id: string, table: string): Promise<string>;
    /** Writes a text in the folder of profiles and gives its path relative to the run's folder. */
    writeProfile(fileName: string, text: string): Promise<string>;
    /** Keeps the NetLog of a browser that has ended, by the browser's id. */
    keepNetLog(id: string, netLogFile: string): Promise<void>;
  };
  /** Tells the user something that is no matter of a single record. */
  warn(sentence: string): void;
  signal?: AbortSignal;
  /** By which it is seen whether the machine stands still; absent: its own. */
  clocks?: Clocks;
}

/** What asks the servers of a subject; kept for a group of blocks. */
export interface Client<Prepared = unknown> {
  /** Whether it is to be closed, and another one opened, before the next block. */
  readonly isWorn: boolean;
  /** What of the client asks for a trial: the same for two that the same program asks for, and only then; absent: one for each arm. */
  askerOf?(trial: Pick<Trial, 'arm' | 'factors' | 'network'>): string;
  /** Warms servers and client up by trials at once, of which no record is made; absent: warm-ups are trials like others. */
  warmUp?(trials: readonly Trial[]): Promise<void>;
  /** Makes ready for a trial. Nothing of it goes over the path. */
  prepare(trial: Trial): Promise<Prepared>;
  /** Carries out a trial; anything that breaks becomes its failure, and only an interruption is thrown. */
  measure(prepared: Prepared): Promise<Attempt>;
  /** Resolves when the next trial may be prepared while this one comes to its end. */
  readyForNext(prepared: Prepared): Promise<void>;
  /** Leaves nothing of a trial. */
  dispose(prepared: Prepared): Promise<void>;
  close(): Promise<void>;
}

/** How an experiment measures: what its folder's `measure.ts` exports, for the runner alone. */
export interface Measurer {
  open(bench: Bench): Client;
  /** Ends what outlived its clients; absent: nothing does. */
  end?(): Promise<void>;
}

/** A trial that is ready to be measured. */
export interface Prepared<Ready = unknown> {
  trial: Trial;
  /** What it needs of its client, or why it cannot have it. */
  ready: Ready | AttemptEnded;
  prepareMs: number;
  /** Resolves when the next trial may be prepared. */
  readyForNext: PromiseWithResolvers<void>;
}

/** What an experiment's client does, of which the frame makes a client. */
interface ClientParts<Ready> extends Partial<Pick<Client, 'askerOf' | 'warmUp' | 'close'>> {
  isWorn?(): boolean;
  /** Makes ready for a trial; what breaks is remembered, and becomes the trial's failure. Absent: nothing is made ready. */
  prepare?(trial: Trial): Promise<Ready>;
  /** What an error of that means. */
  endedBy?(error: Error): AttemptEnded;
  measure(prepared: Prepared<Ready>): Promise<Attempt>;
  /** Leaves nothing of a trial, before the next is prepared at the latest. Absent: there is nothing, and the next need not wait. */
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
    readyForNext: ({ readyForNext: settling }) => settling.promise,
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

/** An attempt that says nothing, because it was to be measured together with another arm's, which came to no end. */
export function invalidWithArm(
  { arm }: Pick<Trial, 'arm'>,
  { code, message }: Pick<Attempt, 'code' | 'message'>,
) {
  return {
    outcome: 'invalid' as const,
    code: NOT_TOGETHER,
    message: `It was to be measured together with ${arm}, which failed (${code}): ${message}`,
  };
}

/**
 * One trial from its preparation, which may have been made ahead, to its end.
 * @param begin called when nothing is under way any more but this trial
 * @throws what `begin` throws, and then it is not measured
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

/** The server of an arm. */
export function serverOf<Server extends ReadyServer>(
  arm: string,
  servers: readonly Server[],
): Server {
  const found = servers.find((each) => each.stack.stack === arm);
  if (!found) throw new Error(`no server for ${arm}`);
  return found;
}

/** The first process of a server that the run has started, as those are that tell what they do. */
export function pidOf({ pid, stack }: Pick<ReadyServer, 'pid' | 'stack'>): number {
  if (pid === null) throw new Error(`the process of ${stack.stack} is not known`);
  return pid;
}
