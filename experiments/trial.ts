import { type Clocks, type HeartbeatReport, startHeartbeat } from '../ground/host/heartbeat.ts';
import type { ObservedConnections } from '../ground/records/connection.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { MachineUse } from '../ground/records/machine-use.ts';
import type { PathCounts } from '../ground/records/network.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { NetworkError } from '../ground/system/errors.ts';
import { monotonicMs } from '../ground/system/node-clock.ts';
import type { LoadOptions } from '../network/agent.ts';
import {
  AttemptEnded,
  type BoundCheck,
  failed,
  type Judgement,
  judgeAttempt,
  type Problem,
} from './checks.ts';
import { type Attempt, type Bench, EMPTY_ATTEMPT, invalidWithArm } from './measuring.ts';
import { capturesPackets, type FilesWritten } from './packets.ts';

/** Makes the path behave as a trial's condition asks, and counts from zero. */
export function applyPath(
  trial: Trial,
  { path, choices }: { path: Pick<Bench['path'], 'apply'>; choices: RunChoices },
  options: Partial<LoadOptions> = {},
): Promise<void> {
  const captures = capturesPackets(choices, trial);
  return path.apply({ ...trial.network, seed: trial.networkSeed }, { captures, ...options });
}

/** What an attempt brought onto its path. */
export interface PathObservation {
  path: PathCounts;
  /** null: not sampled, or the backend has no samples. */
  link: readonly LinkSample[] | null;
  connections: ObservedConnections;
}

/** Of the live web, whose paths are not observed. */
export const PATH_NOT_COUNTED = { path: null, link: null, connections: null };

/** Counts what went over the path since it was applied. */
export async function countPath(
  path: Pick<Bench['path'], 'count' | 'connections'>,
  {
    samples,
    keyLog,
  }: {
    samples?: () => Promise<PathObservation['link']>;
    /** With it, whether early data was accepted can be read. */
    keyLog?: () => string | undefined | Promise<string | undefined>;
  } = {},
): Promise<PathObservation> {
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
type CompletedAttempt<Watch extends Watching, Acted, Count> = Acted &
  Count & {
    machine: ReturnType<Watch['end']>;
    time: HeartbeatReport;
    startedAt: Date;
    /** By the machine's monotonic clock. */
    endedMs: number;
  };

/** Watches machine and clocks while an attempt acts, then counts. */
export async function observe<Watch extends Watching, Acted, Count>(
  { watch, act, count }: Steps<Watch, Acted, Count>,
  clocks?: Clocks,
): Promise<CompletedAttempt<Watch, Acted, Count>> {
  const startedAt = new Date();
  const watching = watch();
  const heartbeat = startHeartbeat(clocks);
  let acted: Acted;
  let time: HeartbeatReport;
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
export interface AttemptEvidence extends Pick<Attempt, 'machine' | 'path' | 'connections'> {
  time: HeartbeatReport | null;
  endedMs: number | null;
  link: PathObservation['link'];
}

/** Of an attempt that never acted. */
export const NOT_OBSERVED = {
  machine: null,
  time: null,
  endedMs: null,
  ...PATH_NOT_COUNTED,
} satisfies AttemptEvidence;

/** What the frame reads of an attempt that was counted, and of one of which nothing was seen. */
interface CountedFacts extends Pick<Attempt, 'path' | 'connections' | 'stepsMs'> {
  /** Why it failed although it was seen to its end; null or absent: it did not. */
  failure?: Problem | null;
}

/** What an experiment supplies: how its attempts are made, its own checks, and its numbers. */
interface AttemptParts<Watch extends Watching, Acted, Count, Nothing, Written> {
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
  withTimeout?<T>(steps: Promise<T>): Promise<T>;
  /** What an error on the way means; absent: the path, or else the client's program, broke. Throws an interruption. */
  endedBy?(error: Error): AttemptEnded | Promise<AttemptEnded>;
  /** Called when the next attempt may be prepared. */
  onReadyForNext?(): void;
  /** Stands for what was seen where nothing was; absent: such an attempt has its failure alone. */
  emptyEvidence?: Nothing;
  /** Writes the attempt's files, before the next one begins. */
  write(seen: CompletedAttempt<Watch, Acted, Count> | Nothing): Promise<Written>;
  /** Why the attempt of an arm failed, by what its own experiment knows; null or absent: it did not. */
  failure?(
    seen: CompletedAttempt<Watch, Acted, Count>,
    of: { written: Written; arm: string },
  ): Judgement | null;
  /** The experiment's own checks. */
  checks(seen: CompletedAttempt<Watch, Acted, Count>, written: Written): readonly BoundCheck[];
  /** The attempt's numbers, and what only this experiment has. */
  result(
    seen: CompletedAttempt<Watch, Acted, Count> | Nothing,
    of: { written: Written; judgement: Judgement; arm: string },
  ): Pick<Attempt, 'metrics' | 'details'> & Partial<Attempt>;
}

/**
 * Makes one attempt at a trial: begins over the path, watches while it acts, counts, writes its files, and judges it by the common checks
 * and those of the experiment. What breaks becomes its failure; only an interruption is thrown.
 */
export async function makeAttempt<
  Watch extends Watching,
  Acted,
  Count extends CountedFacts,
  Written extends FilesWritten,
  Nothing extends AttemptEvidence & CountedFacts = never,
>(
  planned: Trial,
  { signal, clocks }: Pick<Bench, 'signal' | 'clocks'>,
  parts: AttemptParts<Watch, Acted, Count, Nothing, Written>,
): Promise<Attempt> {
  const {
    block = [planned],
    withTimeout = (steps) => steps,
    endedBy = (error) => new AttemptEnded(failed(clientFailure(error, { signal }))),
  } = parts;
  const startedAt = parts.startedAt ?? new Date();
  const observeToEnd = async () => {
    const seen = await observe(await parts.begin(), clocks);
    signal?.throwIfAborted();
    return seen;
  };
  const found = await withTimeout(observeToEnd())
    .catch((error) => (error instanceof AttemptEnded ? error : endedBy(error)))
    .finally(parts.onReadyForNext);
  if (found instanceof AttemptEnded && !parts.emptyEvidence) {
    const { judgement, known } = found;
    return withOtherArms(planned, block, (each) => ({
      ...EMPTY_ATTEMPT,
      ...(each === planned ? judgement : invalidWithArm(planned, judgement)),
      startedAt,
      ...known,
    }));
  }
  const seen =
    found instanceof AttemptEnded
      ? { startedAt, ...(parts.emptyEvidence as Nothing), ...found.known }
      : found;
  const written = await parts.write(seen);
  return withOtherArms(planned, block, (each) => {
    const { arm } = each;
    const judgement =
      found instanceof AttemptEnded
        ? found.judgement
        : ((found.failure ? failed(found.failure) : null) ??
          parts.failure?.(found, { written, arm }) ??
          (written.failure ? failed(written.failure) : null) ??
          judgeAttempt(parts.checks(found, written), found, each));
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
      startedAt: parts.startedAt ?? seen.startedAt,
      ...parts.result(seen, { written, judgement, arm }),
    };
  });
}

/** The attempt of a trial, with those of the others that it has measured. */
function withOtherArms(
  planned: Trial,
  block: readonly Trial[],
  attemptOf: (each: Trial) => Attempt,
): Attempt {
  const own = attemptOf(planned);
  const others = block.filter(({ arm }) => arm !== planned.arm);
  if (others.length === 0) return own;
  return { ...own, otherArms: new Map(others.map((each) => [each.arm, attemptOf(each)])) };
}

/** Why an attempt broke: the path, or else the program that makes it. Only an interruption is thrown. */
export function clientFailure(error: Error, { signal }: Pick<Bench, 'signal'>): Problem {
  signal?.throwIfAborted();
  const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
  return { code, message: error.message };
}
