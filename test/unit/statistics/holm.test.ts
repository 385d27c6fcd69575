import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holm } from '../../../statistics/holm.ts';
import { assertClose, goldenCases } from './golden.ts';

test("adjusted p-values agree with Holm's definition in NumPy, in the order given", () => {
  for (const { p, holm: expected } of goldenCases<{ p: number[]; holm: number[] }>(
    'adjusted-p-values',
  )) {
    const adjusted = holm(p);
    assert.equal(adjusted.length, expected.length);
    for (const [index, value] of expected.entries()) assertClose(adjusted[index], value);
  }
});

test('a test that was not made stays null and does not make the family larger', () => {
  assert.deepEqual(holm([0.02, null, 0.01, null]), [0.02, null, 0.02, null]);
  assert.deepEqual(holm([null]), [null]);
  assert.deepEqual(holm([]), []);
});

test('an adjusted p-value is never above 1 or below its own', () => {
  assert.deepEqual(holm([0.9, 0.6]), [1, 1]);
});
