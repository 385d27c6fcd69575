/**
 * Jain's fairness index of what each of several gets: 1 where all get the same, 1/n where one gets everything. Null without any, or
 * where nobody gets anything.
 * Source: Jain, Chiu and Hawe 1984, DEC Research Report TR-301.
 */
export function jainIndex(values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares === 0 ? null : (sum * sum) / (values.length * squares);
}
