/**
 * Probability of each sum 0, 1, 2, ... when every one of the weights (whole numbers, not negative) is taken with
 * probability one half, independently of the others. With the ranks 1 to n as weights this is the distribution of the
 * signed-rank statistic when nothing differs. All terms are positive, so nothing cancels.
 */
export function subsetSumDistribution(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const probabilities = new Float64Array(total + 1);
  probabilities[0] = 1;
  let reached = 0;
  for (const weight of weights) {
    reached += weight;
    for (let sum = reached; sum >= 0; sum--) {
      const without = probabilities[sum] as number;
      const taken = sum >= weight ? (probabilities[sum - weight] as number) : 0;
      probabilities[sum] = (without + taken) / 2;
    }
  }
  return probabilities;
}
