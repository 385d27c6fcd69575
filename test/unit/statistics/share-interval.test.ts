import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInterval } from '../../../statistics/share-interval.ts';
import { assertClose } from './golden.ts';

test("solves Wilson's equation: the share lies 1.96 standard errors of each end away from it", () => {
  for (const [hits, n] of [
    [3, 10],
    [1, 2],
    [81, 263],
    [99, 100],
  ] as const) {
    const { low, high } = shareInterval(hits, n) ?? { low: Number.NaN, high: Number.NaN };
    const errorAt = (share: number) => Math.sqrt((share * (1 - share)) / n);
    assertClose((hits / n - low) / errorAt(low), 1.959963984540054);
    assertClose((high - hits / n) / errorAt(high), 1.959963984540054);
  }
});

test('has 25.5 to 36.6 % for 81 of 263, as in the table of Newcombe (1998)', () => {
  const { low, high } = shareInterval(81, 263) ?? { low: 0, high: 0 };
  assert.equal(low.toFixed(4), '0.2553');
  assert.equal(high.toFixed(4), '0.3662');
});

test('begins at 0 for no hits, ends at 1 for all, and leaves room on the opposite side', () => {
  const none = shareInterval(0, 20);
  const all = shareInterval(20, 20);
  assert.equal(none?.low, 0);
  assert.equal(all?.high, 1);
  assert.equal(none?.high.toFixed(4), '0.1611');
  assertClose(all?.low, 1 - (none?.high ?? 0));
});

test('has no interval without a draw', () => {
  assert.equal(shareInterval(0, 0), null);
});

/** The share of samples of n whose interval holds the truth, by the binomial distribution. */
function coverage(truth: number, n: number): number {
  let held = 0;
  let chance = (1 - truth) ** n;
  for (let hits = 0; hits <= n; hits++) {
    const interval = shareInterval(hits, n);
    if (interval && interval.low <= truth && truth <= interval.high) held += chance;
    chance *= ((n - hits) / (hits + 1)) * (truth / (1 - truth));
  }
  return held;
}

test('holds shares of 5 to 95 % in 95 % of samples on average, and each of them in 91 % at least', () => {
  const truths = Array.from({ length: 91 }, (_, index) => 0.05 + index / 100);
  for (const n of [10, 20, 50, 100, 200]) {
    const held = truths.map((truth) => coverage(truth, n));
    const mean = held.reduce((sum, each) => sum + each, 0) / held.length;
    assert.ok(mean > 0.945 && mean < 0.957, `${n}: ${mean} on average`);
    assert.ok(Math.min(...held) > 0.91, `${n}: ${Math.min(...held)} at worst`);
  }
});
