/** Shares of the differences on either side of 0; the three add up to 1. */
interface SignShares {
  below: number;
  equal: number;
  above: number;
}

/**
 * In which share of pairs the difference is below, equal to and above 0: "faster in 70 % of pairs". Null without
 * differences.
 * @example signShares([-1, -2, 0, 5]) // { below: 0.5, equal: 0.25, above: 0.25 }
 */
export function signShares(differences: readonly number[]): SignShares | null {
  const n = differences.length;
  if (n === 0) return null;
  const below = differences.filter((difference) => difference < 0).length;
  const above = differences.filter((difference) => difference > 0).length;
  return { below: below / n, equal: (n - below - above) / n, above: above / n };
}
