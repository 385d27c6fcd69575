import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../statistics/description.ts';

test('describes a sample by its size and five statistics', () => {
  assert.deepEqual(describe([2, 4, 6]), {
    n: 3,
    mean: 4,
    median: 4,
    standardDeviation: 2,
    minimum: 2,
    maximum: 6,
  });
});

test('finds the ends in any position, with negative values and zero', () => {
  for (const [values, ends] of [
    [
      [3, 1, 2],
      [1, 3],
    ],
    [
      [0, -2, 9],
      [-2, 9],
    ],
    [[0], [0, 0]],
  ] as const) {
    const { minimum, maximum } = describe(values);
    assert.deepEqual([minimum, maximum], ends);
  }
});

test('has null statistics, never zero, for an empty sample', () => {
  assert.deepEqual(describe([]), {
    n: 0,
    mean: null,
    median: null,
    standardDeviation: null,
    minimum: null,
    maximum: null,
  });
});
