import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECK_GROUPS } from '../../../checks/index.ts';
import { checkCores, checkLoad, checkMemory, checkPressure } from '../../../checks/machine.ts';

test('reports one core as enough, with a note', () => {
  assert.equal(checkCores(1, 'Xeon').status, 'note');
  assert.deepEqual(checkCores(2, 'Xeon'), { status: 'ok', found: '2 cores, Xeon' });
});

test('notes a load of more than half of the cores', () => {
  assert.equal(checkLoad(0.9, 2).status, 'ok');
  assert.equal(checkLoad(1.1, 2).status, 'note');
  assert.equal(checkLoad(1.1, 4).status, 'ok');
});

test('notes little memory', () => {
  assert.equal(checkMemory(900, 2000).status, 'note');
  assert.equal(checkMemory(1500, 2000).status, 'ok');
});

test('reads CPU pressure if the kernel reports it', () => {
  const pressure = (percent: string) =>
    checkPressure(`some avg10=${percent} avg60=1.00 avg300=0.50 total=12\nfull avg10=0.00`);
  assert.equal(pressure('0.00').status, 'ok');
  assert.deepEqual(pressure('45.55').found, 'programs waited 45.55 % of the last 10 s');
  assert.equal(pressure('45.55').status, 'note');
  assert.deepEqual(checkPressure(null), {
    status: 'ok',
    found: 'not reported by this kernel (/proc/pressure/cpu)',
  });
});

test('has a different name for every check', () => {
  const names = CHECK_GROUPS.flatMap(({ checks }) => checks.map(({ name }) => name));
  assert.equal(new Set(names).size, names.length);
});
