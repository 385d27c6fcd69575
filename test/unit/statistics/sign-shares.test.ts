import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signShares } from '../../../statistics/sign-shares.ts';

test('counts equal pairs as a separate share, on neither side', () => {
  assert.deepEqual(signShares([-1, -2, 0, 5]), { below: 0.5, equal: 0.25, above: 0.25 });
  assert.deepEqual(signShares([3]), { below: 0, equal: 0, above: 1 });
});

test('is null without pairs', () => {
  assert.equal(signShares([]), null);
});
