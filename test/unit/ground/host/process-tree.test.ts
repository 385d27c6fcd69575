import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processTreeOf } from '../../../../ground/host/process-tree.ts';
import { processes } from './example.ts';

const RUNNER = 10;

function family(...rows: Parameters<typeof processes>): number[] {
  return [...processTreeOf(processes(...rows), RUNNER)].toSorted((a, b) => a - b);
}

test('includes children and their children, and not parents and siblings', () => {
  assert.deepEqual(
    family([1, 0], [9, 1], [RUNNER, 9], [11, 9], [12, RUNNER], [13, 12]),
    [10, 12, 13],
  );
});

test('finds a process whose parent has ended by the session that the run began', () => {
  const found = family([1, 0], [RUNNER, 1], [12, RUNNER], [14, 1, { session: 12 }], [15, 14]);
  assert.deepEqual(found, [10, 12, 14, 15]);
});

test('excludes other jobs of the shell that started the run', () => {
  const shell = { session: 5 };
  const found = family(
    [5, 1, shell],
    [RUNNER, 5, shell],
    [12, RUNNER, shell],
    [20, 5, shell],
    [21, 1, shell],
  );
  assert.deepEqual(found, [10, 12]);
});

test('has no family for a process that has ended', () => {
  assert.deepEqual(family([1, 0], [2, 1]), []);
});
