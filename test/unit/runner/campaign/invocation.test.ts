import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfInvocation } from '../../../../ground/records/problems.ts';
import { invocationOf, machineName } from '../../../../runner/campaign/invocation.ts';
import { hostFacts } from '../../../../runner/machine.ts';

const FACTS = {
  command: ['--resume', 'x'],
  part: null,
  host: hostFacts([]),
  versions: { node: '24' },
  backend: 'userspace' as const,
  differences: ['bun is 2; it was 1.'],
};

test('writes an invocation that matches its schema, identified by time, machine and process', () => {
  const invocation = invocationOf(FACTS, new Date('2026-11-20T10:00:00.123Z'));
  assert.equal(problemOfInvocation(invocation), null);
  assert.equal(invocation.id, `2026-11-20T10-00-00-123Z-${invocation.machine}-${process.pid}`);
  assert.deepEqual(invocation.differences, FACTS.differences);
});

test('gives a machine one name that is valid in a file name', () => {
  assert.equal(machineName(), machineName());
  assert.match(machineName(), /^[A-Za-z0-9.-]+-[0-9a-f]{6}$/);
});
