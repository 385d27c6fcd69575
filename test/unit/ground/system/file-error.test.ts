import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathProblem, reasonOf } from '../../../../ground/system/file-error.ts';

function errorOf(what: () => unknown): unknown {
  try {
    what();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test("gives the system's reason for refusing a file, without its code and the call", () => {
  const missing = errorOf(() => readFileSync('/no/such, file'));
  assert.equal(reasonOf(missing), 'no such file or directory');
  assert.equal(reasonOf(new Error('EVERY word, kept')), 'EVERY word, kept');
});

test('reports an unusable path, and passes on other errors', () => {
  const inFile = errorOf(() => readFileSync('/dev/null/x'));
  assert.equal(
    pathProblem(inFile),
    '/dev/null/x cannot be read or written: not a directory. Name another path, or repair this one.',
  );
  assert.equal(pathProblem(errorOf(() => readFileSync('/no/such/file'))), null);
  assert.equal(pathProblem(Object.assign(new Error('x'), { code: 'EACCES' })), null);
  assert.equal(pathProblem(undefined), null);
});
