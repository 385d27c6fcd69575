import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from '../../../statistics/median.ts';

test('the median is the middle value, or half-way between the two middle ones', () => {
  assert.equal(median([12.5, 3.25, 8, 8, 101.75, 0.5, 44.125]), 8);
  assert.equal(median([4, 1, 2, 9]), 3);
});

test('numbers are compared as numbers, not as text', () => {
  assert.equal(median([10, 9, 100]), 10);
});

test('the median of one value is that value and of no value is null', () => {
  assert.equal(median([7]), 7);
  assert.equal(median([]), null);
});
