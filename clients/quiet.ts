import { setTimeout as sleep } from 'node:timers/promises';

/** State of a page's network activity. */
export interface Activity {
  isQuiet(): boolean;
  /** Time of the last change, by performance.now(). */
  lastChangeMs(): number;
}

/**
 * Resolves when no request has been pending for `quietMs`, from now on; false: `limitMs` ended first.
 */
export async function untilQuiet(
  { isQuiet, lastChangeMs }: Activity,
  quietMs: number,
  limitMs: number,
): Promise<boolean> {
  const beganMs = performance.now();
  const endMs = beganMs + limitMs;
  for (;;) {
    const nowMs = performance.now();
    const quietAtMs = Math.max(beganMs, lastChangeMs()) + quietMs;
    const waitMs = isQuiet() ? quietAtMs - nowMs : quietMs;
    if (waitMs <= 0) return true;
    if (nowMs >= endMs) return false;
    await sleep(Math.min(waitMs, endMs - nowMs));
    // Processes events that arrived while this program had no processor time.
    await new Promise(setImmediate);
  }
}
