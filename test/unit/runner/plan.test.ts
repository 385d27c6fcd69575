import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertKnown } from '../../../runner/plan.ts';
import { UsageError } from '../../../system/errors.ts';

test('sites that the cache does not have are refused, each with the one that was probably meant', () => {
  const known = new Set(['www.example.org', 'www.wikipedia.org']);
  assertKnown(['www.example.org'], known);
  assert.throws(
    () => assertKnown(['www.exmaple.org', 'www.example.org', 'nowhere.test', 'publishd'], known),
    (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(
        error.message,
        /^Unknown site www\.exmaple\.org\. Did you mean www\.example\.org\?/,
      );
      assert.match(
        error.message,
        /Unknown site nowhere\.test\. Unknown site publishd\. Did you mean published\?/,
      );
      return true;
    },
  );
});
