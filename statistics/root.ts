/** Where a rising function changes its sign between `low` and `high`: bisection down to neighbouring numbers. */
export function findRoot(rising: (x: number) => number, low: number, high: number): number {
  let below = low;
  let above = high;
  for (;;) {
    const middle = below / 2 + above / 2;
    if (!(middle > below && middle < above)) return above;
    if (rising(middle) >= 0) above = middle;
    else below = middle;
  }
}
