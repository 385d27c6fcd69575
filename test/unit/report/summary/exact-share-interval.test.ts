import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactShare } from '../../../../report/summary/control.ts';

test('the interval of a share is the exact one, at its ends too', () => {
  // At the ends there are closed forms: 1 - 0.025 ^ (1 / n) above no hit, 0.025 ^ (1 / n) below nothing but hits.
  assert.deepEqual(exactShare(0, 8), {
    estimate: 0,
    low: 0,
    high: closeTo(exactShare(0, 8)?.high, 1 - 0.025 ** (1 / 8)),
  });
  assert.deepEqual(exactShare(8, 8), {
    estimate: 1,
    low: closeTo(exactShare(8, 8)?.low, 0.025 ** (1 / 8)),
    high: 1,
  });
  // 4 of 10: 0.1216 to 0.7376, a textbook case.
  const share = exactShare(4, 10);
  closeTo(share?.low, 0.12155226, 1e-7);
  closeTo(share?.high, 0.73762192, 1e-7);
  assert.equal(share?.estimate, 0.4);
});

test('many trials do not underflow, and no trial gives no share', () => {
  const share = exactShare(500, 10_000);
  closeTo(share?.low, 0.0458, 2e-4);
  closeTo(share?.high, 0.0545, 2e-4);
  assert.equal(exactShare(0, 0), null);
});

function closeTo(found: number | null | undefined, expected: number, tolerance = 1e-9): number {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < tolerance, `${found}, not ${expected}`);
  return found as number;
}
