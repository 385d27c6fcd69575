import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoot } from '../../../statistics/root.ts';

test('finds the root to the last digit', () => {
  assert.equal(
    findRoot((x) => x * x - 2, 0, 2),
    Math.SQRT2,
  );
  assert.equal(
    findRoot((x) => x, -7, 3),
    0,
  );
});

test('ends a search among invalid numbers', () => {
  assert.ok(Number.isNaN(findRoot((x) => x, Number.NaN, Number.NaN)));
  findRoot((x) => x, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
});
