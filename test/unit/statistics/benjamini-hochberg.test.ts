import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benjaminiHochberg } from '../../../statistics/benjamini-hochberg.ts';
import { assertClose, goldenCases } from './golden.ts';

test('agrees with SciPy on adjusted p-values (false_discovery_control), in the given order', () => {
  for (const { p, benjaminiHochberg: expected } of goldenCases<{
    p: number[];
    benjaminiHochberg: number[];
  }>('adjusted-p-values')) {
    const adjusted = benjaminiHochberg(p);
    assert.equal(adjusted.length, expected.length);
    for (const [index, value] of expected.entries()) assertClose(adjusted[index], value);
  }
});

test('keeps a test that was not made null, without enlarging the family', () => {
  assert.deepEqual(benjaminiHochberg([0.04, null, 0.01]), [0.04, null, 0.02]);
  assert.deepEqual(benjaminiHochberg([null]), [null]);
  assert.deepEqual(benjaminiHochberg([]), []);
});
