import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSchedule } from '../../../runner/schedule.ts';

const INPUT = {
  sites: ['a.test', 'b.test'],
  stacks: ['lsquic-h3', 'bun-h2', 'flask-h1'],
  repetitions: 40,
  seed: 1,
};

test('the same seed gives the same schedule, another seed another one', () => {
  assert.deepEqual(makeSchedule(INPUT), makeSchedule(INPUT));
  assert.notDeepEqual(makeSchedule(INPUT), makeSchedule({ ...INPUT, seed: 2 }));
});

test('every block of a site holds every stack once, the warm-ups come first', () => {
  const trials = makeSchedule(INPUT);
  const blocks = Map.groupBy(trials, ({ site, block }) => `${site} ${block}`);
  assert.equal(blocks.size, 2 * 41);
  for (const [name, block] of blocks) {
    assert.deepEqual(block.map(({ stack }) => stack).sort(), [...INPUT.stacks].sort(), name);
  }
  assert.deepEqual(
    trials.slice(0, 3).map(({ warmup, block, repetition }) => [warmup, block, repetition]),
    Array(3).fill([true, 0, 0]),
  );
  assert.ok(trials.slice(3, 123).every(({ warmup, site }) => !warmup && site === 'a.test'));
});

test('every stack is loaded first about equally often', () => {
  const first = makeSchedule({ ...INPUT, sites: ['a.test'], repetitions: 600 })
    .slice(3)
    .filter((_, index) => index % 3 === 0);
  for (const stack of INPUT.stacks) {
    const share = first.filter((trial) => trial.stack === stack).length / first.length;
    assert.ok(Math.abs(share - 1 / 3) < 0.08, `${stack} is first in ${share}`);
  }
});

test('every trial has an id of its own that can be a file name', () => {
  const ids = makeSchedule(INPUT).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[\w.-]+$/.test(id)));
});
