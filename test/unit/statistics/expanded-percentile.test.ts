import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandedTail } from '../../../statistics/expanded-percentile.ts';

test('has a tail of a tenth of 2.5 % with six values, nearing 2.5 % with many', () => {
  // t of 5 degrees of freedom is 2.5706, times the root of 6 / 5 is 2.8159: a normal tail of 0.00243.
  assert.ok(Math.abs(expandedTail(6) - 0.00243) < 1e-5);
  assert.ok(expandedTail(30) < 0.025 && expandedTail(30) > 0.018);
  assert.ok(Math.abs(expandedTail(5000) - 0.025) < 1e-4);
});
