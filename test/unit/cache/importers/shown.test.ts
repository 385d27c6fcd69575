import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from '../../../../cache/import-error.ts';

test("shows only printable ASCII of an archive's text, and limits its length", () => {
  assert.equal(shown('a\u001b[2J\nbé'), 'a?[2J?b?');
  assert.equal(shown('x'.repeat(50), 10), 'xxxxxxx...');
});
