import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readMachine } from '../../../../runner/machine.ts';
import { testImplementation } from '../../../../test/unit/servers/other-implementation.ts';

const program = path.join(import.meta.dirname, 'replies.py');

testImplementation('Python', false, (requests) => {
  const { stdout, stderr, status } = spawnSync(readMachine().python, [program], {
    input: JSON.stringify(requests),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
});
