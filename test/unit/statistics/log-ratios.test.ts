import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRatios } from '../../../statistics/log-ratios.ts';
import { assertClose } from './golden.ts';

test('puts twice as long and half as long at the same distance from 0', () => {
  const [twice, half, same] = logRatios([
    [200, 100],
    [100, 200],
    [7, 7],
  ]);
  assertClose(twice, Math.LN2);
  assertClose(half, -Math.LN2);
  assert.equal(same, 0);
});

test('ranks a failure slower than everything, and two failures as a tie', () => {
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

test('rejects a time of 0 or less, which has no ratio', () => {
  assert.throws(() => logRatios([[0, 100]]), /ratio of 0 and 100.* two numbers above 0/);
  assert.throws(() => logRatios([[100, -1]]), RangeError);
  assert.throws(() => logRatios([[Number.NaN, 1]]), RangeError);
});
