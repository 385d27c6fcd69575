import { TAIL_PROBABILITY } from './interval.ts';
import { normalTail } from './normal-distribution.ts';
import { tQuantile } from './t-distribution.ts';

/**
 * Probability of the lower end of a percentile bootstrap interval, widened for small samples: resampling n values
 * underestimates a variance by (n - 1) / n and takes no account of the variance being estimated, so the plain 2.5 %
 * holds too little. Source: Hesterberg 2015, doi:10.1080/00031305.2015.1089789 ("expanded percentile").
 * @example expandedTail(6) // 0.0024 instead of 0.025
 */
export function expandedTail(n: number): number {
  return normalTail(Math.sqrt(n / (n - 1)) * tQuantile(1 - TAIL_PROBABILITY, n - 1));
}
