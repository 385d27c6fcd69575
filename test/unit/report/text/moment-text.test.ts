import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentText } from '../../../../report/text/number.ts';

test('a moment is shown to the minute in UTC, and anything else as it is', () => {
  assert.equal(momentText('2026-11-20T10:00:59.123Z'), '2026-11-20 10:00 UTC');
  assert.equal(momentText('yesterday'), 'yesterday');
});
