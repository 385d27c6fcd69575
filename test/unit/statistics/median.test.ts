import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from '../../../statistics/median.ts';

test('is the middle value, or half-way between the two middle ones', () => {
  assert.equal(median([12.5, 3.25, 8, 8, 101.75, 0.5, 44.125]), 8);
  assert.equal(median([4, 1, 2, 9]), 3);
});

test('compares numbers as numbers, not as text', () => {
  assert.equal(median([10, 9, 100]), 10);
});

test('is the value itself for one, and null for none', () => {
  assert.equal(median([7]), 7);
  assert.equal(median([]), null);
});
