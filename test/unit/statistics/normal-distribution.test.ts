import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile, normalTail } from '../../../statistics/normal-distribution.ts';
import { assertClose, goldenCases } from './golden.ts';

const cases = goldenCases<{ kind: string; z: number; p: number }>('distributions');

test('agrees with SciPy (norm.sf) on the tail from the middle to 37 standard deviations', () => {
  for (const { z, p } of cases.filter(({ kind }) => kind === 'normal tail')) {
    assertClose(normalTail(z), p, `z ${z}`);
  }
});

test('agrees with SciPy (norm.ppf) on quantiles', () => {
  for (const { z, p } of cases.filter(({ kind }) => kind === 'normal quantile')) {
    assertClose(normalQuantile(p), z, `probability ${p}`);
  }
});

test('rejects a probability of 0, 1 or NaN', () => {
  for (const probability of [0, 1, Number.NaN]) {
    assert.throws(() => normalQuantile(probability), /expected more than 0 and less than 1/);
  }
});
