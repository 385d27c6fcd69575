/**
 * JavaScript that runs in every document and worker before the page's scripts, so that a page does the same in every load.
 * Math.random repeats its sequence (Park and Miller's generator with the multiplier 48271, Communications of the ACM 36, 1993).
 * Date starts at a fixed time and advances 1 ms per call, so that loops that wait for time to pass end. performance.now() stays real.
 */
export function deterministicPageScript(seed = SEED): string {
  return `(${replaceChanceAndDate.toString()})(${seed}, ${START_MS})`;
}

/** Arbitrary, but the same for recording and loading. */
const SEED = 1;

/** 2020-01-01, in ms since 1970; arbitrary. */
const START_MS = Date.UTC(2020, 0, 1);

// Runs in the page, so it must not use variables from outside.
function replaceChanceAndDate(seed: number, startMs: number): void {
  const MODULUS = 2 ** 31 - 1;
  let state = 1 + (seed % (MODULUS - 1));
  Math.random = () => {
    state = (state * 48271) % MODULUS;
    return (state - 1) / (MODULUS - 1);
  };
  const RealDate = Date;
  let calls = 0;
  const nowMs = () => startMs + calls++;
  const FixedDate = function (this: unknown, ...parts: unknown[]) {
    if (new.target === undefined) return new RealDate(nowMs()).toString();
    const values = parts.length === 0 ? [nowMs()] : parts;
    return Reflect.construct(RealDate, values, new.target);
  };
  FixedDate.prototype = RealDate.prototype;
  Object.defineProperty(FixedDate.prototype, 'constructor', { value: FixedDate });
  Object.assign(FixedDate, { now: nowMs, parse: RealDate.parse, UTC: RealDate.UTC });
  Object.defineProperty(FixedDate, 'length', { value: 7 });
  Object.defineProperty(FixedDate, 'name', { value: 'Date' });
  (globalThis as { Date: unknown }).Date = FixedDate;
}
