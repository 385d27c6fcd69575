import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jainIndex } from '../../../statistics/jain-index.ts';

test("Jain's index is 1 for equal parts of any size, and 1/n where one has everything", () => {
  assert.equal(jainIndex([5, 5, 5]), 1);
  assert.equal(jainIndex([0.1, 0.1]), 1);
  assert.equal(jainIndex([7, 0, 0, 0]), 0.25);
});

test("Jain's index of the paper's example is the share of six users that are served", () => {
  assert.equal(jainIndex([1, 1, 1, 0, 0, 0]), 0.5);
  // (3 + 1)^2 / (2 (9 + 1))
  assert.equal(jainIndex([3, 1]), 0.8);
});

test("Jain's index is undefined if all parts are zero", () => {
  assert.equal(jainIndex([]), null);
  assert.equal(jainIndex([0, 0]), null);
});
