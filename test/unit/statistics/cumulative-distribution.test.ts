import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulativeDistribution } from '../../../statistics/cumulative-distribution.ts';
import { assertClose, goldenCases } from './golden.ts';

test('the steps agree with SciPy (ecdf), ties included', () => {
  for (const { values, value, share } of goldenCases<{
    values: number[];
    value: number[];
    share: number[];
  }>('cumulative-distribution')) {
    const steps = cumulativeDistribution(values);
    assert.deepEqual(
      steps.map((step) => step.value),
      value,
    );
    for (const [index, step] of steps.entries()) assertClose(step.share, share[index] as number);
  }
});

test('the last step has share 1 and no value gives no step', () => {
  assert.deepEqual(cumulativeDistribution([10, 9, 10]), [
    { value: 9, share: 1 / 3 },
    { value: 10, share: 1 },
  ]);
  assert.deepEqual(cumulativeDistribution([]), []);
});
