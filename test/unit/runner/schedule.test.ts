import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAMED_CONDITIONS } from '../../../runner/network/conditions.ts';
import { makeSchedule, type ScheduleInput } from '../../../runner/schedule.ts';

const INPUT = {
  sites: ['a.test', 'b.test'],
  stacks: ['lsquic-h3', 'bun-h2', 'flask-h1'],
  networks: NAMED_CONDITIONS.slice(0, 2),
  visits: ['cold'],
  repetitions: 40,
  order: 'shuffled',
  seed: 1,
} satisfies ScheduleInput;

test('the same seed gives the same schedule, another seed another one', () => {
  assert.deepEqual(makeSchedule(INPUT), makeSchedule(INPUT));
  assert.notDeepEqual(makeSchedule(INPUT), makeSchedule({ ...INPUT, seed: 2 }));
});

test('every block of a site and condition holds every stack once, the warm-ups of the site come first', () => {
  const trials = makeSchedule(INPUT);
  const blocks = Map.groupBy(
    trials,
    ({ site, network, block }) => `${site} ${network.name} ${block}`,
  );
  assert.equal(blocks.size, 2 * (1 + 2 * 40));
  for (const [name, block] of blocks) {
    assert.deepEqual(block.map(({ stack }) => stack).sort(), [...INPUT.stacks].sort(), name);
  }
  assert.deepEqual(
    trials.slice(0, 3).map(({ warmup, block, repetition }) => [warmup, block, repetition]),
    Array(3).fill([true, 0, 0]),
  );
  const siteTrials = trials.slice(3, 3 + 2 * 40 * 3);
  assert.ok(siteTrials.every(({ warmup, site }) => !warmup && site === 'a.test'));
  const names = siteTrials.map(({ network }) => network.name);
  assert.deepEqual([...new Set(names)], ['none', '30ms']);
  assert.equal(names.lastIndexOf('none') + 1, names.indexOf('30ms'));
});

test('the stacks of a block meet the same losses, other blocks other ones', () => {
  const blocks = Map.groupBy(
    makeSchedule(INPUT),
    ({ site, network, block }) => `${site} ${network.name} ${block}`,
  );
  const seeds = [...blocks.values()].map(
    (block) => new Set(block.map(({ networkSeed }) => networkSeed)),
  );
  assert.ok(seeds.every((each) => each.size === 1));
  assert.equal(new Set(seeds.flatMap((each) => [...each])).size, blocks.size);
});

test('every stack is loaded first about equally often', () => {
  const networks = NAMED_CONDITIONS.slice(0, 1);
  const first = makeSchedule({ ...INPUT, networks, sites: ['a.test'], repetitions: 600 })
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

test('each kind of visit has blocks of its own, with ids of their own, and no more warm-ups', () => {
  const trials = makeSchedule({ ...INPUT, visits: ['cold', 'resumed'], repetitions: 2 });
  assert.equal(trials.length, 2 * (3 + 2 * 2 * 2 * 3));
  assert.equal(trials.filter(({ warmup }) => warmup).length, 2 * 3);
  assert.equal(new Set(trials.map(({ id }) => id)).size, trials.length);
  const blocks = Map.groupBy(
    trials.filter(({ warmup }) => !warmup),
    ({ site, network, visit, block }) => `${site} ${network.name} ${visit} ${block}`,
  );
  assert.ok([...blocks.values()].every((block) => new Set(block.map((t) => t.stack)).size === 3));
  // Network by network: setting and measuring the path takes time.
  const networks = trials.filter(({ site }) => site === 'a.test').map((t) => t.network.name);
  assert.equal(networks.lastIndexOf('none') + 1, networks.indexOf('30ms'));
});
