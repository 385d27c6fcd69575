import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean } from '../../../statistics/mean.ts';

test('agrees with the value of Python 3.11 (statistics.mean)', () => {
  assert.equal(mean([12.5, 3.25, 8, 8, 101.75, 0.5, 44.125]), 25.446428571428573);
  assert.equal(mean([1, 2, 6]), 3);
});

test('is the value itself for one, and null for none', () => {
  assert.equal(mean([7]), 7);
  assert.equal(mean([]), null);
});
