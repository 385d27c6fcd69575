import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometricMeanRatio } from '../../../statistics/geometric-mean-ratio.ts';
import { assertClose } from './golden.ts';

test('every site weighs the same, however many pairs it has', () => {
  const twice = Math.log(2);
  const eightfold = Math.log(8);
  const pooled = geometricMeanRatio([[twice, twice, twice, twice], [eightfold]]);
  assertClose(pooled?.ratio, 4);
  assert.equal(pooled?.sites, 2);
  assert.equal(pooled?.pairs, 5);
});

test('a site is described by its Hodges-Lehmann estimate, which a wild pair hardly moves', () => {
  assertClose(geometricMeanRatio([[0, 0, 0, 0, 9]])?.ratio, 1);
});

test('sites without pairs are left out and counted out, and without any pair there is no ratio', () => {
  assert.equal(geometricMeanRatio([[0.1], []])?.sites, 1);
  assert.equal(geometricMeanRatio([[], []]), null);
  assert.equal(geometricMeanRatio([]), null);
});
