import type { Metric } from '../ground/experiment.ts';
import { isGivenUp } from '../ground/records/counted-loads.ts';
import type { Observation } from '../ground/records/observation.ts';
import { isPlanned, type Trial } from '../ground/records/run.ts';
import { jsonLine, printable } from '../ground/system/printed.mjs';
import { valueWithUnit } from '../kit/text/value.ts';

/** Tells how far a run is. What it costs does not depend on how much is done. */
export interface Progress {
  started(trial: Trial): void;
  ended(attempt: Observation): void;
  /** The path is measured again until the machine is quiet. */
  pathLate(why: string): void;
  /** Something that a user should know. */
  warn(sentence: string): void;
  /** Leaves the terminal's line as it should be. */
  close(): void;
}

/** How much there is to do, and how it is told. */
interface ProgressOptions {
  /** What attempts are called. */
  nouns: readonly [one: string, several: string];
  /** Whose number is told of each. */
  metric: Pick<Metric, 'name' | 'unit'>;
  /** Loads of this invocation's part of the plan; null: a queue, or a rule, decides how many. */
  loads: number | null;
  /** What is left of a budget by which a rule ends the run; absent: there is none. */
  leftMs?: number;
  /** Those of them that earlier invocations made. */
  done: number;
  /** text: on stderr, one line that renews itself on a terminal, plain lines elsewhere; jsonl: events on stdout. */
  format: 'text' | 'jsonl';
}

/** A progress display. */
export function makeProgress(
  options: ProgressOptions,
  stream: NodeJS.WriteStream = options.format === 'text' ? process.stderr : process.stdout,
  nowMs: () => number = () => performance.now(),
): Progress {
  const progress = options.format === 'text' ? textProgress : eventProgress;
  return progress(countdown(options, nowMs), stream, options);
}

/** One JSON object on a line of its own, for programs that follow a run. */
export function printEvent(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  stream: Pick<NodeJS.WriteStream, 'write'> = process.stdout,
): void {
  stream.write(`${jsonLine({ event, at: new Date().toISOString(), ...fields })}\n`);
}

type Countdown = ReturnType<typeof countdown>;

function countdown({ loads, done, leftMs: most }: ProgressOptions, nowMs: () => number) {
  const startMs = nowMs();
  let now = 0;
  return {
    loads,
    get done() {
      return done + now;
    },
    isMost: most !== undefined,
    /** Expected, or at most where a rule ends the run; null: nothing was done yet, or nobody knows how much there is. */
    get leftMs(): number | null {
      if (most !== undefined) return Math.max(0, most - (nowMs() - startMs));
      return now === 0 || loads === null
        ? null
        : ((nowMs() - startMs) / now) * (loads - done - now);
    },
    /** A warm-up that the plan does not have changes nothing. */
    count({ id, warmup }: Observation): void {
      if (!warmup || isPlanned({ id })) now++;
    },
  };
}

function eventProgress(
  count: Countdown,
  stream: NodeJS.WriteStream,
  { metric }: Pick<ProgressOptions, 'metric'>,
): Progress {
  const state = () => ({ done: count.done, loads: count.loads, leftMs: count.leftMs });
  return {
    started({ id }) {
      printEvent('attempt-started', { id, ...state() }, stream);
    },
    ended(attempt) {
      count.count(attempt);
      const { id, subject, arm, warmup, outcome, code, message, metrics } = attempt;
      const what = { id, subject, arm, warmup, outcome, code, message };
      const value = metrics[metric.name] ?? null;
      printEvent('attempt-ended', { ...what, metric: metric.name, value, ...state() }, stream);
    },
    pathLate(why) {
      printEvent('path-late', { message: why }, stream);
    },
    warn(sentence) {
      printEvent('warning', { message: sentence }, stream);
    },
    close() {},
  };
}

function textProgress(
  count: Countdown,
  stream: NodeJS.WriteStream,
  { metric, nouns }: Pick<ProgressOptions, 'metric' | 'nouns'>,
): Progress {
  const counted = (n: number) => `${n} ${nouns[n === 1 ? 0 : 1]}`;
  const givenUp = new Set<string | null>();
  const far = () =>
    `${count.loads === null ? counted(count.done) : `${count.done} of ${counted(count.loads)}`} done${count.leftMs === null ? '' : `, ${count.isMost ? 'at most ' : ''}${durationText(count.leftMs)} left`}`;
  const tell = (line: string) =>
    void stream.write(`${stream.isTTY ? '\r\u001B[K' : ''}${printable(line)}\n`);
  return {
    started(trial) {
      if (!stream.isTTY) return;
      const what = trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`;
      stream.write(`\r\u001B[K${printable(`${far()}: ${trial.subject} by ${trial.arm}, ${what}`)}`);
    },
    ended(attempt) {
      count.count(attempt);
      const troubled = attempt.outcome !== 'ok';
      if (stream.isTTY && !troubled) return;
      // Of a cell that was given up, many loads are not made for one reason.
      if (isGivenUp(attempt.code) && givenUp.has(attempt.message)) return;
      if (isGivenUp(attempt.code)) givenUp.add(attempt.message);
      const value = attempt.metrics[metric.name] ?? null;
      const result = troubled
        ? `${attempt.outcome} (${attempt.code}): ${attempt.message}`
        : `ok, ${value === null ? 'no number' : valueWithUnit(value, metric.unit)}`;
      const warmup = attempt.warmup ? ' (warm-up)' : '';
      const line = `${attempt.subject} by ${attempt.arm}${warmup} ${result}`;
      tell(stream.isTTY ? line : `${far()}: ${line}`);
    },
    pathLate(why) {
      tell(`${why} It is measured again until the machine is quiet, for some 20 s at most.`);
    },
    warn: tell,
    close() {
      if (stream.isTTY) stream.write('\r\u001B[K');
    },
  };
}

function durationText(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
