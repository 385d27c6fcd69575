import type { Line } from './theil-sen.ts';

/** Where two lines meet; `x` is null, with the reason, when they do not meet where something was measured. */
export type Crossover =
  | { x: number; reason: null }
  | { x: null; reason: 'parallel' | 'below the measured range' | 'above the measured range' };

/**
 * The x at which two lines meet, if it is within the measured range (ends included): nothing is said about where
 * nothing was measured. Two lines that are the same are parallel.
 * @example crossover({ slope: 2, intercept: 0 }, { slope: 3, intercept: -20 }, [0, 100]) // { x: 20, reason: null }
 */
export function crossover(
  first: Line,
  second: Line,
  [lowest, highest]: readonly [lowest: number, highest: number],
): Crossover {
  if (first.slope === second.slope) return { x: null, reason: 'parallel' };
  const x = (second.intercept - first.intercept) / (first.slope - second.slope);
  if (x < lowest) return { x: null, reason: 'below the measured range' };
  if (x > highest) return { x: null, reason: 'above the measured range' };
  return { x, reason: null };
}
