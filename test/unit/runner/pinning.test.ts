import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MachineError } from '../../../ground/system/errors.ts';
import {
  type Core,
  onCores,
  parseCoreList,
  planPinning,
  readCores,
  readPinning,
} from '../../../runner/pinning.ts';

/** Cores as most machines number them: the second threads of all cores come after the first ones. */
function machine(physicalCount: number, threads: number): Core[] {
  return Array.from({ length: physicalCount * threads }, (_, number) => ({
    number,
    physical: String(number % physicalCount),
  }));
}

test('four cores are two for the browser and one each for servers and link', () => {
  assert.deepEqual(planPinning(machine(4, 1)), {
    browserCores: [0, 1],
    serverCores: [2],
    linkCores: [3],
  });
});

test('fewer than four physical cores are shared, hyper-threads or not', () => {
  assert.equal(planPinning(machine(3, 1)), null);
  assert.equal(planPinning(machine(3, 2)), null);
});

test('the two threads of a core never work for two of them', () => {
  assert.deepEqual(planPinning(machine(4, 2)), {
    browserCores: [0, 1, 4, 5],
    serverCores: [2, 6],
    linkCores: [3, 7],
  });
});

test('every core is given to exactly one, and the browser gets at least half', () => {
  for (const physicalCount of [4, 5, 6, 7, 8, 13, 16]) {
    const plan = planPinning(machine(physicalCount, 2));
    assert.ok(plan);
    const given = [...plan.browserCores, ...plan.serverCores, ...plan.linkCores];
    assert.deepEqual(
      given.toSorted((a, b) => a - b),
      machine(physicalCount, 2).map(({ number }) => number),
    );
    assert.ok(plan.browserCores.length >= physicalCount, `${physicalCount} cores`);
    assert.ok(plan.serverCores.length > 0 && plan.linkCores.length > 0);
  }
});

test('only the cores that this process may use are given out', () => {
  const cores = machine(8, 1).filter(({ number }) => number >= 3);
  assert.deepEqual(planPinning(cores), {
    browserCores: [3, 4, 5],
    serverCores: [6],
    linkCores: [7],
  });
});

test('a machine with too few cores is told how many it has and what to do', () => {
  assert.throws(
    () => readPinning(machine(2, 2)),
    (error) =>
      error instanceof MachineError &&
      /needs 4 physical cores/.test(error.message) &&
      /may use 2 \(4 with hyper-threads\)/.test(error.message) &&
      /omit --pin/.test(error.message),
  );
  assert.equal(readPinning(machine(4, 1)).browserCores.length, 2);
});

test('lists of cores are read as the kernel writes them', () => {
  assert.deepEqual(parseCoreList('0-2,7\n'), [0, 1, 2, 7]);
  assert.deepEqual(parseCoreList('5'), [5]);
  assert.throws(() => parseCoreList('0-x'), /not a list of cores/);
  assert.throws(() => parseCoreList(''), /not a list of cores/);
});

test('a command is pinned by taskset', () => {
  assert.deepEqual(onCores([2, 6]), ['taskset', '--cpu-list', '2,6']);
});

test('this process may use at least one core', () => {
  const cores = readCores();
  assert.ok(cores.length > 0);
  assert.ok(cores.every(({ number, physical }) => Number.isInteger(number) && physical !== ''));
});
