import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { RUNTIMES } from '../../../servers/runtimes/index.ts';
import { projectFolder } from '../../../system/project-folder.ts';

for (const client of ['curl', 'aioquic']) {
  test(`what ${client} says of connections that fail is told in the words of records, by tests in its language`, () => {
    const folder = path.join(import.meta.dirname, client);
    const { status, stderr, error } = spawnSync(
      RUNTIMES.python.program,
      ['-B', '-E', '-s', '-m', 'unittest', 'discover', '-s', folder, '-p', '*_test.py'],
      { cwd: projectFolder, encoding: 'utf8' },
    );
    assert.equal(status, 0, error ? `${error.message} (npm run setup makes it)` : stderr);
    // A search that finds nothing is no success.
    assert.match(stderr, /Ran [1-9]\d* tests/);
  });
}
