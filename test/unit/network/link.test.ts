import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..', '..');

test('the logic of the user-space link passes its own tests, written in its language', () => {
  const { status, stderr, error } = spawnSync(
    path.join(root, '.venv', 'bin', 'python'),
    ['-B', '-E', '-s', '-m', 'unittest', 'discover', '-s', import.meta.dirname, '-p', '*_test.py'],
    { cwd: root, encoding: 'utf8' },
  );
  assert.equal(status, 0, error ? `${error.message} (npm run setup makes it)` : stderr);
  // A search that finds nothing is no success.
  assert.match(stderr, /Ran [1-9]\d+ tests/);
});
