import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from '../../../../cache/import-error.ts';

test('of a text out of an archive printable ASCII alone is shown, and not too much of it', () => {
  assert.equal(shown('a\u001b[2J\nbé'), 'a?[2J?b?');
  assert.equal(shown('x'.repeat(50), 10), 'xxxxxxx...');
});
