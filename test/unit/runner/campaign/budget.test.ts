import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBudget } from '../../../../runner/campaign/budget.ts';
import { UsageError } from '../../../../system/errors.ts';

test('a budget is a number with its unit', () => {
  assert.equal(readBudget('90s'), 90_000);
  assert.equal(readBudget('45m'), 2_700_000);
  assert.equal(readBudget('1.5h'), 5_400_000);
});

test('anything else is refused with examples', () => {
  for (const text of ['', '90', 's', '0s', '-5m', '1d', '1 h', '1h30m', 'soon']) {
    assert.throws(
      () => readBudget(text),
      (error) => error instanceof UsageError && /90s, 45m or 2h/.test(error.message),
      text,
    );
  }
});
