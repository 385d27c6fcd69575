import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holm } from '../../../statistics/holm.ts';
import { assertClose, goldenCases } from './golden.ts';

test("agrees with Holm's definition in NumPy on adjusted p-values, in the given order", () => {
  for (const { p, holm: expected } of goldenCases<{ p: number[]; holm: number[] }>(
    'adjusted-p-values',
  )) {
    const adjusted = holm(p);
    assert.equal(adjusted.length, expected.length);
    for (const [index, value] of expected.entries()) assertClose(adjusted[index], value);
  }
});

test('keeps a test that was not made null, without enlarging the family', () => {
  assert.deepEqual(holm([0.02, null, 0.01, null]), [0.02, null, 0.02, null]);
  assert.deepEqual(holm([null]), [null]);
  assert.deepEqual(holm([]), []);
});

test('never adjusts a p-value above 1 or below its own', () => {
  assert.deepEqual(holm([0.9, 0.6]), [1, 1]);
});
