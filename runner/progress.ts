import type { PageLoad } from '../records/page-load.ts';
import type { Trial } from '../records/run.ts';

/** Tells on stderr how far a run is: one line that renews itself on a terminal, plain lines elsewhere. */
export interface Progress {
  started(trial: Trial): void;
  ended(pageLoad: PageLoad): void;
  /** Leaves the terminal's line as it should be. */
  close(): void;
}

/** A progress display for so many loads. */
export function makeProgress(
  loads: number,
  stream: NodeJS.WriteStream = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const startMs = nowMs();
  let done = 0;

  const left = () => {
    if (done === 0) return '';
    const leftMs = ((nowMs() - startMs) / done) * (loads - done);
    return `, ${durationText(leftMs)} left`;
  };

  return {
    started(trial) {
      if (!stream.isTTY) return;
      const what = trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`;
      stream.write(
        `\r\u001B[K${done} of ${loads} loads done${left()}: ${trial.site} by ${trial.stack}, ${what}`,
      );
    },
    ended(pageLoad) {
      done++;
      const troubled = pageLoad.outcome !== 'ok';
      if (stream.isTTY && !troubled) return;
      const ms = pageLoad.timingsMs.pageLoad;
      const result = troubled
        ? `${pageLoad.outcome} (${pageLoad.code}): ${pageLoad.message}`
        : `ok, ${ms?.toFixed(1)} ms`;
      const warmup = pageLoad.warmup ? ' (warm-up)' : '';
      const line = `${pageLoad.site} by ${pageLoad.stack}${warmup} ${result}`;
      if (stream.isTTY) stream.write(`\r\u001B[K${line}\n`);
      else stream.write(`${done} of ${loads} loads done${left()}: ${line}\n`);
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
