/**
 * Probability of each sum 0, 1, 2, ... when every one of the weights (whole numbers, not negative) is taken with
 * probability one half, independently. With the ranks 1 to n as weights this is the distribution of the
 * signed-rank statistic when nothing differs. All terms are positive, so nothing cancels.
 * @param most largest sum to return
 */
export function subsetSumDistribution(
  weights: readonly number[],
  most = Number.POSITIVE_INFINITY,
): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const last = Math.min(total, most);
  const probabilities = new Float64Array(last + 1);
  probabilities[0] = 1;
  let reached = 0;
  for (const weight of weights) {
    reached = Math.min(last, reached + weight);
    for (let sum = reached; sum >= weight; sum--) {
      const without = probabilities[sum] as number;
      probabilities[sum] = (without + (probabilities[sum - weight] as number)) / 2;
    }
    for (let sum = Math.min(reached, weight - 1); sum >= 0; sum--) {
      probabilities[sum] = (probabilities[sum] as number) / 2;
    }
  }
  return probabilities;
}
