import { type Clocks, startHeartbeat, type TimeKept } from '../ground/host/heartbeat.ts';
import type { ConnectionsSeen } from '../ground/records/connection.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { MachineUse } from '../ground/records/machine-use.ts';
import type { PathCounts } from '../ground/records/network.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { NetworkError } from '../ground/system/errors.ts';
import { monotonicMs } from '../ground/system/node-clock.ts';
import type { LoadBeginning } from '../network/agent.ts';
import {
  AttemptEnded,
  type BoundCheck,
  failed,
  type Judgement,
  judgedBy,
  type Problem,
} from './checks.ts';
import { type Attempt, type Bench, NOTHING_SEEN, notTogether } from './measuring.ts';
import { capturesPackets, type FilesWritten } from './packets.ts';

/** Makes the path behave as a trial's condition asks, and counts from zero. */
export function applyPath(
  trial: Trial,
  { path, choices }: { path: Pick<Bench['path'], 'apply'>; choices: RunChoices },
  options: Partial<LoadBeginning> = {},
): Promise<void> {
  const captures = capturesPackets(choices, trial);
  return path.apply({ ...trial.network, seed: trial.networkSeed }, { captures, ...options });
}

/** What an attempt brought onto its path. */
export interface Counted {
  path: PathCounts;
  /** null: not sampled, or the backend has no samples. */
  link: readonly LinkSample[] | null;
  connections: ConnectionsSeen;
}

/** Of the live web, whose paths are not observed. */
export const NOT_COUNTED = { path: null, link: null, connections: null };

/** Counts what went over the path since it was applied. */
export async function counted(
  path: Pick<Bench['path'], 'count' | 'connections'>,
  {
    samples,
    keyLog,
  }: {
    samples?: () => Promise<Counted['link']>;
    /** With it, whether early data was accepted can be read. */
    keyLog?: () => string | undefined | Promise<string | undefined>;
  } = {},
): Promise<Counted> {
  return {
    path: await path.count(),
    link: (await samples?.()) ?? null,
    connections: await path.connections(await keyLog?.()),
  };
}

/** Watches what goes on next to an attempt. */
interface Watching {
  /** Of each arm where several are measured at once. */
  end(): MachineUse | ReadonlyMap<string, MachineUse>;
}

/** How an attempt is made over a path that has been applied. */
export interface Steps<Watch extends Watching, Acted, Count> {
  watch(): Watch;
  act(watch: Watch): Promise<Acted>;
  /** Counts what went over the path, and reads all else that the next attempt would overwrite. */
  count(acted: Acted): Promise<Count>;
}

/** What was seen of an attempt to its end. */
export type Seen<Watch extends Watching, Acted, Count> = Acted &
  Count & {
    machine: ReturnType<Watch['end']>;
    time: TimeKept;
    startedAt: Date;
    /** By the machine's monotonic clock. */
    endedMs: number;
  };

/** Watches machine and clocks while an attempt acts, then counts. */
export async function observe<Watch extends Watching, Acted, Count>(
  { watch, act, count }: Steps<Watch, Acted, Count>,
  clocks?: Clocks,
): Promise<Seen<Watch, Acted, Count>> {
  const startedAt = new Date();
  const watching = watch();
  const heartbeat = startHeartbeat(clocks);
  let acted: Acted;
  let time: TimeKept;
  try {
    acted = await act(watching);
  } finally {
    time = heartbeat.end();
  }
  const endedMs = monotonicMs();
  const machine = watching.end() as ReturnType<Watch['end']>;
  return { ...acted, startedAt, machine, time, endedMs, ...(await count(acted)) };
}

/** What was seen of an attempt that may have ended before. */
export interface Evidence extends Pick<Attempt, 'machine' | 'path' | 'connections'> {
  time: TimeKept | null;
  endedMs: number | null;
  link: Counted['link'];
}

/** Of an attempt that never acted. */
export const NOT_OBSERVED = {
  machine: null,
  time: null,
  endedMs: null,
  ...NOT_COUNTED,
} satisfies Evidence;

/** What the frame reads of an attempt that was counted, and of one of which nothing was seen. */
interface Known extends Pick<Attempt, 'path' | 'connections' | 'stepsMs'> {
  /** Why it failed although it was seen to its end; null or absent: it did not. */
  failure?: Problem | null;
}

/** What an experiment supplies: how its attempts are made, its own checks, and its numbers. */
interface Making<Watch extends Watching, Acted, Count, Nothing, Written> {
  /** Trials that this attempt measures at once, itself included; absent: itself alone. */
  block?: readonly Trial[];
  /** When it began; absent: when it acts. */
  startedAt?: Date;
  /**
   * Applies the path, with what goes over it before the attempt, and gives the steps of the attempt.
   * @throws AttemptEnded where it cannot be made
   */
  begin(): Promise<Steps<Watch, Acted, Count>>;
  /** Limits the time from the beginning to the count; absent: the steps have limits of their own. */
  within?<T>(steps: Promise<T>): Promise<T>;
  /** What an error on the way means; absent: the path, or else the client's program, broke. Throws an interruption. */
  endedBy?(error: Error): AttemptEnded | Promise<AttemptEnded>;
  /** Called when the next attempt may be prepared. */
  settled?(): void;
  /** Stands for what was seen where nothing was; absent: such an attempt has its failure alone. */
  nothing?: Nothing;
  /** Writes the attempt's files, before the next one begins. */
  write(seen: Seen<Watch, Acted, Count> | Nothing): Promise<Written>;
  /** Why the attempt of an arm failed, by what its own experiment knows; null or absent: it did not. */
  failure?(
    seen: Seen<Watch, Acted, Count>,
    of: { written: Written; arm: string },
  ): Judgement | null;
  /** The experiment's own checks. */
  checks(seen: Seen<Watch, Acted, Count>, written: Written): readonly BoundCheck[];
  /** The attempt's numbers, and what only this experiment has. */
  result(
    seen: Seen<Watch, Acted, Count> | Nothing,
    of: { written: Written; judgement: Judgement; arm: string },
  ): Pick<Attempt, 'metrics' | 'details'> & Partial<Attempt>;
}

/**
 * Makes one attempt at a trial: begins over the path, watches while it acts, counts, writes its files, and judges it by the common checks
 * and those of the experiment. What breaks becomes its failure; only an interruption is thrown.
 */
export async function trial<
  Watch extends Watching,
  Acted,
  Count extends Known,
  Written extends FilesWritten,
  Nothing extends Evidence & Known = never,
>(
  planned: Trial,
  { signal, clocks }: Pick<Bench, 'signal' | 'clocks'>,
  making: Making<Watch, Acted, Count, Nothing, Written>,
): Promise<Attempt> {
  const {
    block = [planned],
    within = (steps) => steps,
    endedBy = (error) => new AttemptEnded(failed(clientFailure(error, { signal }))),
  } = making;
  const startedAt = making.startedAt ?? new Date();
  const toItsEnd = async () => {
    const seen = await observe(await making.begin(), clocks);
    signal?.throwIfAborted();
    return seen;
  };
  const found = await within(toItsEnd())
    .catch((error) => (error instanceof AttemptEnded ? error : endedBy(error)))
    .finally(making.settled);
  if (found instanceof AttemptEnded && !making.nothing) {
    const { judgement, known } = found;
    return together(planned, block, (each) => ({
      ...NOTHING_SEEN,
      ...(each === planned ? judgement : notTogether(planned, judgement)),
      startedAt,
      ...known,
    }));
  }
  const seen =
    found instanceof AttemptEnded
      ? { startedAt, ...(making.nothing as Nothing), ...found.known }
      : found;
  const written = await making.write(seen);
  return together(planned, block, (each) => {
    const { arm } = each;
    const judgement =
      found instanceof AttemptEnded
        ? found.judgement
        : ((found.failure ? failed(found.failure) : null) ??
          making.failure?.(found, { written, arm }) ??
          (written.failure ? failed(written.failure) : null) ??
          judgedBy(making.checks(found, written), found, each));
    const { outcome, code, message } = judgement;
    const { machine, path, connections, stepsMs } = seen;
    return {
      outcome,
      code,
      message,
      client: null,
      connections,
      machine: machine instanceof Map ? (machine.get(arm) ?? null) : machine,
      path,
      files: each === planned ? written.files : {},
      stepsMs,
      startedAt: making.startedAt ?? seen.startedAt,
      ...making.result(seen, { written, judgement, arm }),
    };
  });
}

/** The attempt of a trial, with those of the others that it has measured. */
function together(
  planned: Trial,
  block: readonly Trial[],
  attemptOf: (each: Trial) => Attempt,
): Attempt {
  const own = attemptOf(planned);
  const others = block.filter(({ arm }) => arm !== planned.arm);
  if (others.length === 0) return own;
  return { ...own, others: new Map(others.map((each) => [each.arm, attemptOf(each)])) };
}

/** Why an attempt broke: the path, or else the program that makes it. Only an interruption is thrown. */
export function clientFailure(error: Error, { signal }: Pick<Bench, 'signal'>): Problem {
  signal?.throwIfAborted();
  const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
  return { code, message: error.message };
}
