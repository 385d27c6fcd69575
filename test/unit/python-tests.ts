import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './shipped-files.ts';

/** Fails unless the tests in Python in a folder pass; also without any. */
export function assertPythonTestsPass(folder: string): void {
  const { status, stderr, error } = spawnSync(
    path.join(root, '.venv', 'bin', 'python'),
    ['-B', '-E', '-s', '-m', 'unittest', 'discover', '-s', folder, '-p', '*_test.py'],
    { cwd: root, encoding: 'utf8' },
  );
  assert.equal(status, 0, error ? `${error.message} (npm run setup makes it)` : stderr);
  assert.match(stderr, /Ran [1-9]\d* tests/);
}
