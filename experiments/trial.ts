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

/** Applies a trial's condition to the path and resets its counters. */
export function applyPath(
  trial: Trial,
  { path, choices }: { path: Pick<Bench['path'], 'apply'>; choices: RunChoices },
  options: Partial<LoadOptions> = {},
): Promise<void> {
  const captures = capturesPackets(choices, trial);
  return path.apply({ ...trial.network, seed: trial.networkSeed }, { captures, ...options });
}

/** Counts of what an attempt sent over its path. */
export interface PathObservation {
  path: PathCounts;
  /** null: not sampled, or the backend has no samples. */
  link: readonly LinkSample[] | null;
  connections: ObservedConnections;
}

/** Live paths are not observed. */
export const PATH_NOT_COUNTED = { path: null, link: null, connections: null };

/** Counts the packets since the path was applied. */
export async function countPath(
  path: Pick<Bench['path'], 'count' | 'connections'>,
  {
    samples,
    keyLog,
  }: {
    samples?: () => Promise<PathObservation['link']>;
    /** Shows whether early data was accepted. */
    keyLog?: () => string | undefined | Promise<string | undefined>;
  } = {},
): Promise<PathObservation> {
  return {
    path: await path.count(),
    link: (await samples?.()) ?? null,
    connections: await path.connections(await keyLog?.()),
  };
}

/** Watches the machine during an attempt. */
interface Watching {
  /** A map by arm if several arms are measured at once. */
  end(): MachineUse | ReadonlyMap<string, MachineUse>;
}

/** Steps of an attempt over an applied path. */
export interface Steps<Watch extends Watching, Acted, Count> {
  watch(): Watch;
  act(watch: Watch): Promise<Acted>;
  /** Counts what went over the path, and reads everything that the next attempt overwrites. */
  count(acted: Acted): Promise<Count>;
}

/** Evidence of an attempt that came to its end. */
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

/** Evidence of an attempt that may have ended early. */
export interface AttemptEvidence extends Pick<Attempt, 'machine' | 'path' | 'connections'> {
  time: HeartbeatReport | null;
  endedMs: number | null;
  link: PathObservation['link'];
}

/** Evidence of an attempt that never acted. */
export const NOT_OBSERVED = {
  machine: null,
  time: null,
  endedMs: null,
  ...PATH_NOT_COUNTED,
} satisfies AttemptEvidence;

/** What the frame reads of the evidence, also of an attempt without any. */
interface CountedFacts extends Pick<Attempt, 'path' | 'connections' | 'stepsMs'> {
  /** Why it failed although it came to its end; null or absent: it did not. */
  failure?: Problem | null;
}

/** What an experiment supplies: the steps of its attempts, its checks, and its numbers. */
interface AttemptParts<Watch extends Watching, Acted, Count, Nothing, Written> {
  /** Trials that this attempt measures at once, including its own; absent: its own alone. */
  block?: readonly Trial[];
  /** Absent: the start of `act`. */
  startedAt?: Date;
  /**
   * Applies the path, sends what precedes the attempt, and returns the steps of the attempt.
   * @throws AttemptEnded if the attempt cannot be made
   */
  begin(): Promise<Steps<Watch, Acted, Count>>;
  /** Limits the time from `begin` to `count`; absent: the steps have timeouts of their own. */
  withTimeout?<T>(steps: Promise<T>): Promise<T>;
  /** Converts an error of a step; absent: a failure of the path or else of the client. Throws an interruption. */
  endedBy?(error: Error): AttemptEnded | Promise<AttemptEnded>;
  /** Called when the next attempt may be prepared. */
  onReadyForNext?(): void;
  /** Evidence of an attempt that ended early; absent: such an attempt has only its failure. */
  emptyEvidence?: Nothing;
  /** Writes the attempt's files, before the next one begins. */
  write(seen: CompletedAttempt<Watch, Acted, Count> | Nothing): Promise<Written>;
  /** The experiment's own reason for the failure of an arm; null or absent: no failure. */
  failure?(
    seen: CompletedAttempt<Watch, Acted, Count>,
    of: { written: Written; arm: string },
  ): Judgement | null;
  checks(seen: CompletedAttempt<Watch, Acted, Count>, written: Written): readonly BoundCheck[];
  result(
    seen: CompletedAttempt<Watch, Acted, Count> | Nothing,
    of: { written: Written; judgement: Judgement; arm: string },
  ): Pick<Attempt, 'metrics' | 'details'> & Partial<Attempt>;
}

/**
 * Makes one attempt at a trial: begins, watches while it acts, counts, writes its files, and judges it by the common checks
 * and those of the experiment. Errors become its failure; only an interruption is thrown.
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

/** The attempt of a trial, with those of the other trials of its block. */
function withOtherArms(
  planned: Trial,
  block: readonly Trial[],
  attemptOf: (each: Trial) => Attempt,
): Attempt {
  const own = attemptOf(planned);
  const otherTrials = block.filter(({ arm }) => arm !== planned.arm);
  if (otherTrials.length === 0) return own;
  return { ...own, otherArms: new Map(otherTrials.map((each) => [each.arm, attemptOf(each)])) };
}

/** The failure that an error means: of the path, or else of the client. Throws only an interruption. */
export function clientFailure(error: Error, { signal }: Pick<Bench, 'signal'>): Problem {
  signal?.throwIfAborted();
  const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
  return { code, message: error.message };
}
