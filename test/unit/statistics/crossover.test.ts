import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossover } from '../../../statistics/crossover.ts';

const steep = { slope: 3, intercept: -20 };
const flat = { slope: 2, intercept: 0 };

test('lines meet where both have the same value, in either order', () => {
  assert.equal(crossover(flat, steep, [0, 100]), 20);
  assert.equal(crossover(steep, flat, [0, 100]), 20);
});

test('meeting at an end of the measured range counts as measured', () => {
  assert.equal(crossover(flat, steep, [20, 100]), 20);
  assert.equal(crossover(flat, steep, [0, 20]), 20);
});

test('lines that meet where nothing was measured have no crossover', () => {
  assert.equal(crossover(flat, steep, [21, 100]), null);
  assert.equal(crossover(flat, steep, [0, 19]), null);
});

test('parallel lines, and a line with itself, have no crossover', () => {
  assert.equal(crossover(flat, { slope: 2, intercept: 1 }, [0, 100]), null);
  assert.equal(crossover(flat, flat, [0, 100]), null);
});
