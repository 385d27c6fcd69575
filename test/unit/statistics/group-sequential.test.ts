import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Look, nominalLevels } from '../../../statistics/group-sequential.ts';
import { normalQuantile } from '../../../statistics/normal-distribution.ts';

/** This number of looks, at equal shares of the total. */
function even(count: number): Look[] {
  return Array.from({ length: count }, (_, index) => ({
    fraction: (index + 1) / count,
    information: index + 1,
  }));
}

test('gives one look the whole error', () => {
  const [level] = nominalLevels(0.05, [{ fraction: 1, information: 20 }]);
  assert.ok(Math.abs((level ?? 0) - 0.05) < 1e-12);
});

test('has the published bounds for this spending of 5 %', () => {
  // Jennison and Turnbull 2000, table 7.1 has such for 2.5 % a side; these are from gsDesign's and ldbounds' documentation.
  const bounds = (count: number) =>
    nominalLevels(0.05, even(count)).map((level) => normalQuantile(1 - level / 2));
  for (const [index, bound] of [2.157, 2.201].entries()) {
    assert.ok(Math.abs((bounds(2)[index] ?? 0) - bound) < 0.001);
  }
  for (const [index, bound] of [2.438, 2.427, 2.41, 2.397, 2.386].entries()) {
    assert.ok(Math.abs((bounds(5)[index] ?? 0) - bound) < 0.002, `${bounds(5)}`);
  }
});

test('does not spend error twice', () => {
  const looks = [
    { fraction: 0.5, information: 1 },
    { fraction: 0.5, information: 2 },
    { fraction: 1, information: 3 },
  ];
  const [first = 0, second = 1, third = 0] = nominalLevels(0.05, looks);
  assert.ok(first > 0.03 && first < 0.032);
  assert.ok(second < 1e-9);
  assert.ok(third > 0.02 && third < 0.05);
});

test('raises every level with the error that may be spent, as Holm’s method over looks requires', () => {
  const few = nominalLevels(0.05 / 4, even(6));
  const many = nominalLevels(0.05, even(6));
  assert.ok(few.every((level, index) => level < (many[index] ?? 0)));
});

test('rejects looks that are out of order', () => {
  assert.throws(() => nominalLevels(0, even(1)), /alpha is 0/);
  const back = [
    { fraction: 0.6, information: 2 },
    { fraction: 0.5, information: 3 },
  ];
  assert.throws(() => nominalLevels(0.05, back), /fraction 0.5 is less/);
  assert.throws(
    () => nominalLevels(0.05, [back[0] as Look, { fraction: 1, information: 2 }]),
    /information 2 follows 2/,
  );
});
