/** One axis for several loads: from navigationStart to where the last of them ends. */
export interface TimeAxis {
  endMs: number;
  /** Round moments, evenly apart, from 0. */
  ticksMs: number[];
}

/** So many labels fit side by side. */
const MOST_TICKS = 10;

/** What happens long after the last load event is cut off: it would press everything else together. */
const AFTER_LOAD = 1.1;

/** The axis for loads of which each has its load event and its last byte. */
export function timeAxis(loads: readonly { pageLoadMs: number; lastMs: number }[]): TimeAxis {
  const pageLoadMs = Math.max(1, ...loads.map((load) => load.pageLoadMs));
  const lastMs = Math.max(...loads.map((load) => load.lastMs), pageLoadMs);
  const endMs = Math.min(lastMs, pageLoadMs * AFTER_LOAD) * 1.01;
  const stepMs = roundStep(endMs / MOST_TICKS);
  const ticks = Math.floor(endMs / stepMs) + 1;
  return { endMs, ticksMs: Array.from({ length: ticks }, (_, index) => index * stepMs) };
}

/** The least of 1, 2, 5, 10, 20, 50 ... that is not less. */
function roundStep(leastMs: number): number {
  const power = 10 ** Math.floor(Math.log10(leastMs));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= leastMs) ?? 10;
  return factor * power;
}
