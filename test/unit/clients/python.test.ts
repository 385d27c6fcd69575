import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { python } from '../../../ground/runtimes/python.ts';
import { projectFolder } from '../../../ground/system/project-folder.ts';

// Programs of different clients have files of the same name: each folder is tested apart.
for (const [folder, claim] of [
  ['python', 'connecting clients in Python answer every line that they read'],
  ['curl', 'what libcurl says of connections is told in the words of records'],
  ['aioquic', 'what aioquic says of connections is told in the words of records'],
] as const) {
  test(`${claim}, by tests in their language`, () => {
    const tests = path.join(import.meta.dirname, folder);
    const { status, stderr, error } = spawnSync(
      python.program,
      ['-B', '-E', '-s', '-m', 'unittest', 'discover', '-s', tests, '-p', '*_test.py'],
      { cwd: projectFolder, encoding: 'utf8' },
    );
    assert.equal(status, 0, error ? `${error.message} (npm run setup makes it)` : stderr);
    // A search that finds nothing is no success.
    assert.match(stderr, /Ran [1-9]\d* tests/);
  });
}
