import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bun } from '../../../ground/runtimes/bun.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** What a program of tests says of them on stderr. */
function report(program: string, args: readonly string[]): string {
  const { status, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, error ? `${error.message} (npm run setup makes it)` : stderr);
  return stderr;
}

// A search that finds nothing is no success.
const SOME_TESTS = /Ran [1-9]\d+ tests/;

test('the logic of the path agent passes its own tests, written in its language', () => {
  const discover = ['unittest', 'discover', '-s', import.meta.dirname, '-p', '*_test.py'];
  const python = path.join(root, '.venv', 'bin', 'python');
  assert.match(report(python, ['-B', '-E', '-s', '-m', ...discover]), SOME_TESTS);
});

test('the logic of the user-space link passes its own tests, run by what compiles it', () => {
  const files = globSync(path.join(import.meta.dirname, 'link', '*_test.ts'));
  assert.match(report(bun.program, ['test', '--timeout', '60000', ...files]), SOME_TESTS);
});
