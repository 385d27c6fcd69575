import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInterval } from '../../../statistics/share-interval.ts';
import { assertClose } from './golden.ts';

test("the ends solve Wilson's equation: the share lies 1.96 standard errors of each end away from it", () => {
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

test('81 of 263 are 25.5 to 36.6 %, as in the table of Newcombe (1998)', () => {
  const { low, high } = shareInterval(81, 263) ?? { low: 0, high: 0 };
  assert.equal(low.toFixed(4), '0.2553');
  assert.equal(high.toFixed(4), '0.3662');
});

test('an interval of none begins at 0, one of all ends at 1, and both leave room on the other side', () => {
  const none = shareInterval(0, 20);
  const all = shareInterval(20, 20);
  assert.equal(none?.low, 0);
  assert.equal(all?.high, 1);
  assert.equal(none?.high.toFixed(4), '0.1611');
  assertClose(all?.low, 1 - (none?.high ?? 0));
});

test('there is no interval without a draw', () => {
  assert.equal(shareInterval(0, 0), null);
});
