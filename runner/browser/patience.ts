import type { VisitKind } from '../../records/page-load.ts';
import { DEFAULTS } from '../defaults.ts';

/** Chromium did not do in time what it does within seconds, and was killed. */
export class BrowserHungError extends Error {
  override name = 'BrowserHungError';
}

/** How long a browser is waited for, whatever it is doing: one that hangs must not hang the run. */
export interface Patience {
  /** Aborted with a BrowserHungError when patience has come to its end, and when the signal that it was made with is. */
  signal: AbortSignal;
  /** From now on it is given so many ms to do this, in place of what it was given before. */
  allow(limitMs: number, what: string): void;
  /** It is not the browser that is waited for. */
  rest(): void;
  /** Nobody waits any more. */
  end(): void;
}

/** Patience that rests until it is told otherwise. */
export function newPatience(outer?: AbortSignal): Patience {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  // Taken back at the end: the outer signal outlives thousands of browsers.
  outer?.addEventListener('abort', abort);
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    allow(limitMs, what) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const seconds = Math.round(limitMs / 1000);
        controller.abort(
          new BrowserHungError(`Chromium hung: it had ${seconds} s for ${what}, and was killed.`),
        );
      }, limitMs);
    },
    rest() {
      clearTimeout(timer);
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** The most that a browser can need for its load when it answers: the limits of all the steps, and some seconds. */
export function loadLimitMs(kind: VisitKind, timeoutS: number): number {
  const oneLoadMs = timeoutS * 1000 + DEFAULTS.quietLimitMs;
  return (kind === 'cold' ? 1 : 2) * oneLoadMs + DEFAULTS.browserAnswerMs;
}
