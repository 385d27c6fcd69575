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

test('splits four cores into two for the browser and one each for servers and link', () => {
  assert.deepEqual(planPinning(machine(4, 1)), {
    browserCores: [0, 1],
    serverCores: [2],
    linkCores: [3],
  });
});

test('shares fewer than four physical cores, hyper-threads or not', () => {
  assert.equal(planPinning(machine(3, 1)), null);
  assert.equal(planPinning(machine(3, 2)), null);
});

test('never gives the two threads of a core to different parts', () => {
  assert.deepEqual(planPinning(machine(4, 2)), {
    browserCores: [0, 1, 4, 5],
    serverCores: [2, 6],
    linkCores: [3, 7],
  });
});

test('gives every core to exactly one part, and at least half to the browser', () => {
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

test('gives out only the cores that this process may use', () => {
  const cores = machine(8, 1).filter(({ number }) => number >= 3);
  assert.deepEqual(planPinning(cores), {
    browserCores: [3, 4, 5],
    serverCores: [6],
    linkCores: [7],
  });
});

test('reports the number of cores of a machine with too few, and the remedy', () => {
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

test("reads lists of cores in the kernel's format", () => {
  assert.deepEqual(parseCoreList('0-2,7\n'), [0, 1, 2, 7]);
  assert.deepEqual(parseCoreList('5'), [5]);
  assert.throws(() => parseCoreList('0-x'), /not a list of cores/);
  assert.throws(() => parseCoreList(''), /not a list of cores/);
});

test('pins a command by taskset', () => {
  assert.deepEqual(onCores([2, 6]), ['taskset', '--cpu-list', '2,6']);
});

test('may use at least one core in this process', () => {
  const cores = readCores();
  assert.ok(cores.length > 0);
  assert.ok(cores.every(({ number, physical }) => Number.isInteger(number) && physical !== ''));
});
