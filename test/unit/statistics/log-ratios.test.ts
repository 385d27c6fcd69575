import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRatios } from '../../../statistics/log-ratios.ts';
import { assertClose } from './golden.ts';

test('twice as long and half as long are the same distance from 0', () => {
  const [twice, half, same] = logRatios([
    [200, 100],
    [100, 200],
    [7, 7],
  ]);
  assertClose(twice, Math.LN2);
  assertClose(half, -Math.LN2);
  assert.equal(same, 0);
});

test('a failure is slower than everything, and two failures are a tie', () => {
  const failed = Number.POSITIVE_INFINITY;
  assert.deepEqual(
    logRatios([
      [failed, 100],
      [100, failed],
      [failed, failed],
    ]),
    [failed, -failed, 0],
  );
});

test('a time of 0 or less has no ratio and is refused', () => {
  assert.throws(() => logRatios([[0, 100]]), /ratio of 0 and 100.* two numbers above 0/);
  assert.throws(() => logRatios([[100, -1]]), RangeError);
  assert.throws(() => logRatios([[Number.NaN, 1]]), RangeError);
});
