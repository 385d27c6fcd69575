import type { Line } from './theil-sen.ts';

/**
 * The x at which two lines meet; null where they are parallel, or the same, and where they meet outside of the measured range
 * (ends included): nothing is said about where nothing was measured.
 * @example crossover({ slope: 2, intercept: 0 }, { slope: 3, intercept: -20 }, [0, 100]) // 20
 */
export function crossover(
  first: Line,
  second: Line,
  [lowest, highest]: readonly [lowest: number, highest: number],
): number | null {
  const x = (second.intercept - first.intercept) / (first.slope - second.slope);
  // Parallel lines would meet at an infinite x, or at none.
  return x >= lowest && x <= highest ? x : null;
}
