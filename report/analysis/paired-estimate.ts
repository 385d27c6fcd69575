import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { hodgesLehmannBootstrap } from '../../statistics/hodges-lehmann-bootstrap.ts';
import { hodgesLehmannInterval } from '../../statistics/hodges-lehmann-interval.ts';
import type { Resampling } from '../../statistics/resampling.ts';
import type { Estimate } from './comparison.ts';

/**
 * Hodges-Lehmann estimate of paired differences (or log ratios) with its 95 % interval: bootstrapped where a resampling is
 * given, else the signed-rank test turned round, which costs next to nothing; so it is too for 6 differences, which are
 * too few to resample. Null without differences, and where failures (infinite ones) leave no estimate; no interval below 6.
 */
export function pairedEstimate(
  differences: readonly number[],
  resampling: Resampling | null = null,
): Estimate | null {
  const estimate = hodgesLehmann(differences);
  if (estimate === null || !Number.isFinite(estimate)) return null;
  const isResampled = resampling !== null && differences.every(Number.isFinite);
  const interval =
    (isResampled ? hodgesLehmannBootstrap(differences, resampling) : null) ??
    hodgesLehmannInterval(differences);
  return { estimate, low: finite(interval?.low), high: finite(interval?.high) };
}

/** No number where there is no limit: failures leave none to their side. */
export function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** An estimate on the logarithmic scale, turned back into a ratio. */
export function ratioOf(logarithmic: Estimate | null): Estimate | null {
  if (logarithmic === null) return null;
  const { estimate, low, high } = logarithmic;
  return {
    estimate: Math.exp(estimate),
    low: low === null ? null : Math.exp(low),
    high: high === null ? null : Math.exp(high),
  };
}
