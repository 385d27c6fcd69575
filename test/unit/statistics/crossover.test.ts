import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossover } from '../../../statistics/crossover.ts';

const steep = { slope: 3, intercept: -20 };
const flat = { slope: 2, intercept: 0 };

test('lines meet where both have the same value, in either order', () => {
  assert.deepEqual(crossover(flat, steep, [0, 100]), { x: 20, reason: null });
  assert.deepEqual(crossover(steep, flat, [0, 100]), { x: 20, reason: null });
});

test('meeting at an end of the measured range counts as measured', () => {
  assert.equal(crossover(flat, steep, [20, 100]).x, 20);
  assert.equal(crossover(flat, steep, [0, 20]).x, 20);
});

test('lines that meet where nothing was measured give the reason and no number', () => {
  const below = { x: null, reason: 'below the measured range' };
  const above = { x: null, reason: 'above the measured range' };
  assert.deepEqual(crossover(flat, steep, [21, 100]), below);
  assert.deepEqual(crossover(flat, steep, [0, 19]), above);
});

test('parallel lines, and a line with itself, have no crossover', () => {
  const parallel = { x: null, reason: 'parallel' };
  assert.deepEqual(crossover(flat, { slope: 2, intercept: 1 }, [0, 100]), parallel);
  assert.deepEqual(crossover(flat, flat, [0, 100]), parallel);
});
