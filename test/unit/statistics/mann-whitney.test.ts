import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannWhitney } from '../../../statistics/mann-whitney.ts';
import { assertClose, goldenCases } from './golden.ts';

interface Case {
  method: 'exact' | 'asymptotic';
  first: number[];
  second: number[];
  u: number;
  p: number;
}

test('the Mann-Whitney test agrees with SciPy, exact without ties and asymptotic with ties or many values', () => {
  for (const { method, first, second, u, p } of goldenCases<Case>('mann-whitney')) {
    const result = mannWhitney(first, second);
    const what = `${method}, ${first.length} and ${second.length} values`;
    assertClose(result?.p, p, what);
    assert.equal(result?.u, u, what);
    assert.equal(result?.method, method === 'exact' ? 'exact' : 'normal', what);
  }
});

test('an empty sample gives no test, and values that are all equal show nothing', () => {
  assert.equal(mannWhitney([], [1]), null);
  assert.equal(mannWhitney([1], []), null);
  assert.equal(mannWhitney([3, 3, 3], [3, 3])?.p, 1);
});
