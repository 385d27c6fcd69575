import type { PageLoad } from '../records/page-load.ts';
import type { Trial } from '../records/run.ts';

/** Tells how far a run is. What it costs does not depend on how much is done. */
export interface Progress {
  started(trial: Trial): void;
  ended(pageLoad: PageLoad): void;
  /** The path is measured again until the machine is quiet. */
  pathLate(why: string): void;
  /** Leaves the terminal's line as it should be. */
  close(): void;
}

/** How much there is to do, and how it is told. */
export interface ProgressOptions {
  /** Loads of this sitting's part of the plan; null: a queue, or a rule, decides how many. */
  loads: number | null;
  /** What is left of a budget by which a rule ends the run; absent: there is none. */
  leftMs?: number;
  /** Those of them that earlier sittings made. */
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
  const count = countdown(options, nowMs);
  return options.format === 'text' ? textProgress(count, stream) : eventProgress(count, stream);
}

/** One JSON object on a line of its own, for programs that follow a run. */
export function printEvent(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  stream: Pick<NodeJS.WriteStream, 'write'> = process.stdout,
): void {
  stream.write(`${JSON.stringify({ event, at: new Date().toISOString(), ...fields })}\n`);
}

interface Countdown {
  loads: number | null;
  readonly done: number;
  /** Expected, or at most where a rule ends the run; null: nothing was done yet, or nobody knows how much there is. */
  readonly leftMs: number | null;
  readonly isMost: boolean;
  /** A warm-up that the plan does not have changes nothing. */
  count(pageLoad: PageLoad): void;
}

function countdown({ loads, done, leftMs: most }: ProgressOptions, nowMs: () => number): Countdown {
  const startMs = nowMs();
  let now = 0;
  return {
    loads,
    get done() {
      return done + now;
    },
    isMost: most !== undefined,
    get leftMs() {
      if (most !== undefined) return Math.max(0, most - (nowMs() - startMs));
      return now === 0 || loads === null
        ? null
        : ((nowMs() - startMs) / now) * (loads - done - now);
    },
    count({ id, warmup }) {
      if (!warmup || !id.includes('@')) now++;
    },
  };
}

function eventProgress(count: Countdown, stream: NodeJS.WriteStream): Progress {
  const state = () => ({ done: count.done, loads: count.loads, leftMs: count.leftMs });
  return {
    started({ id }) {
      printEvent('load-started', { id, ...state() }, stream);
    },
    ended(pageLoad) {
      count.count(pageLoad);
      const { id, site, stack, warmup, outcome, code, message, timingsMs } = pageLoad;
      const what = { id, site, stack, warmup, outcome, code, message };
      const { pageLoad: pageLoadMs } = timingsMs;
      printEvent('load-ended', { ...what, pageLoadMs, ...state() }, stream);
    },
    pathLate(why) {
      printEvent('path-late', { message: why }, stream);
    },
    close() {},
  };
}

function textProgress(count: Countdown, stream: NodeJS.WriteStream): Progress {
  const far = () =>
    `${count.loads === null ? count.done : `${count.done} of ${count.loads}`} loads done${count.leftMs === null ? '' : `, ${count.isMost ? 'at most ' : ''}${durationText(count.leftMs)} left`}`;
  return {
    started(trial) {
      if (!stream.isTTY) return;
      const what = trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`;
      stream.write(`\r\u001B[K${far()}: ${trial.site} by ${trial.stack}, ${what}`);
    },
    ended(pageLoad) {
      count.count(pageLoad);
      const troubled = pageLoad.outcome !== 'ok';
      if (stream.isTTY && !troubled) return;
      const ms = pageLoad.timingsMs.pageLoad;
      const result = troubled
        ? `${pageLoad.outcome} (${pageLoad.code}): ${pageLoad.message}`
        : `ok, ${ms?.toFixed(1)} ms`;
      const warmup = pageLoad.warmup ? ' (warm-up)' : '';
      const line = `${pageLoad.site} by ${pageLoad.stack}${warmup} ${result}`;
      if (stream.isTTY) stream.write(`\r\u001B[K${line}\n`);
      else stream.write(`${far()}: ${line}\n`);
    },
    pathLate(why) {
      const line = `${why} It is measured again until the machine is quiet, for some 20 s at most.`;
      stream.write(stream.isTTY ? `\r\u001B[K${line}\n` : `${line}\n`);
    },
    close() {
      if (stream.isTTY) stream.write('\r\u001B[K');
    },
  };
}

function durationText(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
