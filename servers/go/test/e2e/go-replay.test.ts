import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { isSetUp, setUpCommand } from '../../../../runner/machine.ts';
import { testImplementation } from '../../../../test/unit/servers/other-implementation.ts';
import { goStacks } from '../../stack.ts';

const [STACK] = goStacks;
const skip = isSetUp(STACK) ? false : `not set up: ${setUpCommand([STACK.stack])}`;

const temporary = mkdtempSync(path.join(os.tmpdir(), 'go-replay-'));
after(() => rmSync(temporary, { recursive: true }));

/** Runs Go among its sources. */
function go(...args: string[]): void {
  const cwd = path.join(projectFolder, 'servers', 'go');
  const { status, stdout, stderr } = spawnSync('go', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

testImplementation('Go', skip, (requests) => {
  const program = path.join(temporary, 'replies');
  go('test', '-c', '-o', program);
  const { status, stdout, stderr } = spawnSync(program, {
    input: JSON.stringify(requests),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
});

test('has no complaints of Go about its sources', { skip }, () => {
  go('vet', './...');
});
