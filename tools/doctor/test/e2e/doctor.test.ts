import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { CHECK_GROUPS } from '../../checks/index.ts';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'quic-vs-https.ts');

function doctor(...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'doctor', ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('shows every check and reports that a machine that is set up can run the benchmark', () => {
  const { status, stdout, stderr } = doctor();
  assert.equal(stderr, '');
  for (const { name } of CHECK_GROUPS.flatMap(({ checks }) => checks)) {
    assert.match(stdout, new RegExp(`^  (ok|note)  +${name} `, 'm'), stdout);
  }
  assert.match(stdout, /This machine can run the benchmark/);
  assert.equal(status, 0);
  // One screen, also with notes.
  assert.ok(stdout.split('\n').length <= 40, stdout);
});

test('rejects unknown options', () => {
  const { status, stderr } = doctor('--fix');
  assert.equal(status, 2);
  assert.match(stderr, /--fix/);
});
