/**
 * Jain's fairness index of shares: 1 if all are equal, 1/n if one has everything. Null without values, or if all are 0.
 * Source: Jain, Chiu and Hawe 1984, DEC Research Report TR-301.
 */
export function jainIndex(values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares === 0 ? null : (sum * sum) / (values.length * squares);
}
