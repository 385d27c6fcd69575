import { FEWEST_FOR_INTERVAL, type Interval, TAIL_PROBABILITY } from './interval.ts';

/**
 * 95 % interval for the median of a population from one sample of any distribution: the inverted sign
 * test, its ends interpolated between two neighbouring order statistics to meet 95 %. Null below 6 values.
 * Source: Hettmansperger and Sheather 1986, doi:10.1016/0167-7152(86)90021-0; Nyblom 1992.
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < FEWEST_FOR_INTERVAL) return null;
  const sorted = values.toSorted((a, b) => a - b);
  // P(fewer than rank of n values below the median), the chance that the interval from there misses on this side.
  let outer = 0;
  let rank = 0;
  // As a logarithm, because 2 to the power of -n is 0 in floating point for n in the thousands.
  let logProbability = -n * Math.LN2;
  while (outer + Math.exp(logProbability) <= TAIL_PROBABILITY) {
    outer += Math.exp(logProbability);
    logProbability += Math.log((n - rank) / (rank + 1));
    rank++;
  }
  const inner = outer + Math.exp(logProbability);
  // With n >= 6 the outermost order statistics always miss less than 2.5 %, so rank is at least 1.
  const share = (TAIL_PROBABILITY - outer) / (inner - outer);
  const weight = ((n - rank) * share) / ((n - rank) * share + rank * (1 - share));
  const at = (index: number) => sorted[index] as number;
  return {
    low: at(rank - 1) + weight * (at(rank) - at(rank - 1)),
    high: at(n - rank) + weight * (at(n - rank - 1) - at(n - rank)),
  };
}
