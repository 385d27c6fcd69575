/**
 * How a printed average came from the values behind it. rounded: to the nearest number of so many decimals; half-way may
 * go either way. cut: the further decimals were dropped, where rounding would have gone up. other: neither.
 */
export type Shortening = 'rounded' | 'cut' | 'other';

/**
 * Tells how a mean was shortened to what was printed. Exact for whole values: it counts in units of the last printed
 * digit.
 * @example shortening('1.6', [1, 2, 2]) // 1.666... to one decimal would be 1.7: cut
 */
export function shortening(printed: string, values: readonly number[]): Shortening {
  const [whole = '', decimals = ''] = printed.split('.');
  const unitsPerOne = 10 ** decimals.length;
  const sum = values.reduce((total, value) => total + value, 0);
  // What the printed number leaves over, times n.
  const rest = sum * unitsPerOne - Number(whole + decimals) * values.length;
  if (Math.abs(2 * rest) <= values.length) return 'rounded';
  return rest > 0 && rest < values.length ? 'cut' : 'other';
}
