/**
 * Twice the rank (from 1) of each value, in the order of the values; equal values share the mean of their ranks,
 * which is a whole number once doubled.
 * @example doubledMidRanks([5, 1, 5]) // ranks 2.5 1 2.5: [5, 2, 5]
 */
export function doubledMidRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) {
      end++;
    }
    for (let i = start; i < end; i++) ranks[order[i] as number] = start + 1 + end;
    start = end;
  }
  return ranks;
}
