import { repetitionText } from '../experiments/trial-text.ts';
import type { Metric } from '../ground/experiment.ts';
import { isGivenUp } from '../ground/records/counted-loads.ts';
import type { Observation } from '../ground/records/observation.ts';
import { isPlanned, type Trial } from '../ground/records/run.ts';
import { jsonLine, printable } from '../ground/system/printed.mjs';
import { valueWithUnit } from '../kit/text/value.ts';

/** Reports the progress of a run. Its cost does not depend on the number of attempts. */
export interface Progress {
  started(trial: Trial): void;
  ended(attempt: Observation): void;
  /** Reports that the path is measured again until the machine is quiet. */
  pathLate(why: string): void;
  warn(sentence: string): void;
  /** Clears the terminal's line. */
  close(): void;
}

/** Amount of work, and the form of the report. */
interface ProgressOptions {
  /** Name of an attempt. */
  nouns: readonly [one: string, several: string];
  /** Metric whose value is shown for each attempt. */
  metric: Pick<Metric, 'name' | 'unit'>;
  /** Attempts of this invocation's part of the plan; null: a queue or a rule decides the number. */
  loads: number | null;
  /** Remaining budget of a stopping rule; absent: no rule. */
  leftMs?: number;
  /** Attempts of earlier invocations. */
  done: number;
  /** text: on stderr, one line that is rewritten on a terminal, or plain lines; jsonl: events on stdout. */
  format: 'text' | 'jsonl';
}

export function makeProgress(
  options: ProgressOptions,
  stream: NodeJS.WriteStream = options.format === 'text' ? process.stderr : process.stdout,
  nowMs: () => number = () => performance.now(),
): Progress {
  const progress = options.format === 'text' ? textProgress : eventProgress;
  return progress(countdown(options, nowMs), stream, options);
}

/** Prints a JSON object as a line, for programs that follow a run. */
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
    /** Expected, or the maximum if a rule ends the run; null: nothing was done yet, or the number is unknown. */
    get leftMs(): number | null {
      if (most !== undefined) return Math.max(0, most - (nowMs() - startMs));
      return now === 0 || loads === null
        ? null
        : ((nowMs() - startMs) / now) * (loads - done - now);
    },
    /** Ignores warm-ups that the plan does not have. */
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
  const print = (line: string) =>
    void stream.write(`${stream.isTTY ? '\r\u001B[K' : ''}${printable(line)}\n`);
  return {
    started(trial) {
      if (!stream.isTTY) return;
      const what = repetitionText(trial);
      stream.write(`\r\u001B[K${printable(`${far()}: ${trial.subject} by ${trial.arm}, ${what}`)}`);
    },
    ended(attempt) {
      count.count(attempt);
      const troubled = attempt.outcome !== 'ok';
      if (stream.isTTY && !troubled) return;
      // The loads of a cell that was given up are reported once.
      if (isGivenUp(attempt.code) && givenUp.has(attempt.message)) return;
      if (isGivenUp(attempt.code)) givenUp.add(attempt.message);
      const value = attempt.metrics[metric.name] ?? null;
      const result = troubled
        ? `${attempt.outcome} (${attempt.code}): ${attempt.message}`
        : `ok, ${value === null ? 'no number' : valueWithUnit(value, metric.unit)}`;
      const warmup = attempt.warmup ? ` (${repetitionText(attempt)})` : '';
      const line = `${attempt.subject} by ${attempt.arm}${warmup} ${result}`;
      print(stream.isTTY ? line : `${far()}: ${line}`);
    },
    pathLate(why) {
      print(`${why} It is measured again until the machine is quiet, for about 20 s at most.`);
    },
    warn: print,
    close() {
      if (stream.isTTY) stream.write('\r\u001B[K');
    },
  };
}

function durationText(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
