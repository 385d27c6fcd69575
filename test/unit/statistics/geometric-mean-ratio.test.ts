import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometricMeanRatio } from '../../../statistics/geometric-mean-ratio.ts';
import { assertClose } from './golden.ts';

test('weights every site equally, however many pairs it has', () => {
  const twice = Math.log(2);
  const eightfold = Math.log(8);
  const pooled = geometricMeanRatio([[twice, twice, twice, twice], [eightfold]]);
  assertClose(pooled?.ratio, 4);
  assert.equal(pooled?.sites, 2);
  assert.equal(pooled?.pairs, 5);
});

test('describes a site by its Hodges-Lehmann estimate, which an outlier hardly moves', () => {
  assertClose(geometricMeanRatio([[0, 0, 0, 0, 9]])?.ratio, 1);
});

test('excludes and counts sites without pairs, and has no ratio without any pair', () => {
  assert.equal(geometricMeanRatio([[0.1], []])?.sites, 1);
  assert.equal(geometricMeanRatio([[], []]), null);
  assert.equal(geometricMeanRatio([]), null);
});
