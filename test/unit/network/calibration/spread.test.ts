import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadOf } from '../../../../network/calibration/calibrate.ts';

test('has quantiles of type 7, for any order of the values', () => {
  const spread = spreadOf([40, 10, 30, 20, 50, 60, 70, 80, 90, 100]);
  assert.deepEqual(spread, {
    count: 10,
    minimum: 10,
    p25: 32.5,
    median: 55,
    p90: 91,
    p99: 99.1,
    maximum: 100,
  });
});

test('is a single value for one value', () => {
  assert.deepEqual(spreadOf([3]), {
    count: 1,
    minimum: 3,
    p25: 3,
    median: 3,
    p90: 3,
    p99: 3,
    maximum: 3,
  });
});

test('is missing without measurements', () => {
  assert.throws(() => spreadOf([]), /no values/);
});
