import assert from 'node:assert/strict';
import { test } from 'node:test';
import { morePairsNeeded } from '../../../../report/summary/verdict.ts';
import {
  detectableDifference,
  expectedHalfWidth,
} from '../../../../statistics/detectable-difference.ts';

const SO_FAR = { nPairs: 20, logRatio: -0.08, logStandardDeviation: 0.2, logMargin: 0.01 };

test('so many more pairs are the fewest with which the difference is detectable', () => {
  const more = morePairsNeeded(SO_FAR);
  assert.ok(more !== null && more > 0);
  assert.ok((detectableDifference(20 + more, 0.2) ?? 1) <= 0.08);
  assert.ok((detectableDifference(20 + more - 1, 0.2) ?? 0) > 0.08);
});

test('where the estimate is inside of the margin, so many as make the interval fit', () => {
  const more = morePairsNeeded({ ...SO_FAR, logRatio: 0.001, logMargin: 0.05 });
  assert.ok(more !== null && more > 0);
  assert.ok(0.001 + (expectedHalfWidth(20 + more, 0.2) ?? 1) < 0.05);
  assert.ok(0.001 + (expectedHalfWidth(20 + more - 1, 0.2) ?? 0) >= 0.05);
});

test('0 when the number is enough, null when no reasonable number is', () => {
  assert.equal(morePairsNeeded({ ...SO_FAR, logRatio: 0.5 }), 0);
  assert.equal(morePairsNeeded({ ...SO_FAR, logRatio: 0.01 }), null);
});
