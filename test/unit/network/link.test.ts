import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bun } from '../../../ground/runtimes/bun.ts';
import { assertPythonTestsPass } from '../python-tests.ts';
import { root } from '../shipped-files.ts';

test('the logic of the path agent passes its own tests, written in its language', () => {
  assertPythonTestsPass(import.meta.dirname);
});

test('the logic of the user-space link passes its own tests, run by its compiler', () => {
  const files = globSync(path.join(import.meta.dirname, 'link', '*_test.ts'));
  const { status, stderr } = spawnSync(bun.program, ['test', '--timeout', '60000', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  // A search without results is no success.
  assert.match(stderr, /Ran [1-9]\d+ tests/);
});
