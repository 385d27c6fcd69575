/**
 * JavaScript that runs in every document and worker before any script of the page: what a page does must not depend on
 * chance or on the day. Math.random gives the same numbers in the same order in each load (Park and Miller's generator with
 * the multiplier 48271, Communications of the ACM 36, 1993). Date begins at the same moment and goes on by a millisecond each time it is asked, so that a page that
 * waits for time to pass comes to its end. performance.now() is left alone: what is measured is real.
 */
export function deterministicPageScript(seed = SEED): string {
  return `(${replaceChanceAndDate.toString()})(${seed}, ${START_MS})`;
}

/** Any number will do, as long as it is the same whenever a page is recorded and loaded. */
const SEED = 1;

/** 2020-01-01, in ms since 1970: an arbitrary moment in the past. */
const START_MS = Date.UTC(2020, 0, 1);

// Runs in the page, so it may use nothing from outside itself.
function replaceChanceAndDate(seed: number, startMs: number): void {
  const MODULUS = 2 ** 31 - 1;
  let state = 1 + (seed % (MODULUS - 1));
  Math.random = () => {
    state = (state * 48271) % MODULUS;
    return (state - 1) / (MODULUS - 1);
  };
  const RealDate = Date;
  let asked = 0;
  const nowMs = () => startMs + asked++;
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
