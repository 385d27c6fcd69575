import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAMED_CONDITIONS, NOTHING_ADDED } from '../../../network/conditions.ts';
import {
  blocksPerLook,
  blocksPerRound,
  makeSchedule,
  type ScheduleInput,
} from '../../../runner/schedule.ts';

const INPUT = {
  subjects: ['a.test', 'b.test'],
  arms: ['lsquic-h3', 'bun-h2', 'flask-h1'],
  networks: NAMED_CONDITIONS.slice(0, 2),
  factors: { visit: ['cold'] },
  repetitions: 40,
  order: 'shuffled',
  seed: 1,
} satisfies ScheduleInput;

test('gives the same schedule for the same seed, another one for another', () => {
  assert.deepEqual(makeSchedule(INPUT), makeSchedule(INPUT));
  assert.notDeepEqual(makeSchedule(INPUT), makeSchedule({ ...INPUT, seed: 2 }));
});

test('has every stack once in every block of a site and condition, after the warm-ups of the site', () => {
  const trials = makeSchedule(INPUT);
  const blocks = Map.groupBy(
    trials,
    ({ subject, network, block }) => `${subject} ${network.name} ${block}`,
  );
  assert.equal(blocks.size, 2 * (1 + 2 * 40));
  for (const [name, block] of blocks) {
    assert.deepEqual(block.map(({ arm }) => arm).sort(), [...INPUT.arms].sort(), name);
  }
  assert.deepEqual(
    trials.slice(0, 3).map(({ warmup, block, repetition }) => [warmup, block, repetition]),
    Array(3).fill([true, 0, 0]),
  );
  const siteTrials = trials.filter(({ warmup, subject }) => !warmup && subject === 'a.test');
  assert.equal(siteTrials.length, 2 * 40 * 3);
});

test('goes in rounds: some blocks of each site, in which the conditions alternate', () => {
  const trials = makeSchedule(INPUT).filter(({ warmup }) => !warmup);
  const shares = trials.reduce<string[]>((names, { subject }) => {
    if (names.at(-1) !== subject) names.push(subject);
    return names;
  }, []);
  assert.equal(shares.length, 2 * Math.ceil(40 / 3));
  const [first = [], second = []] = [trials.slice(0, 6), trials.slice(6, 12)];
  for (const block of [first, second]) {
    assert.equal(new Set(block.map(({ block: number }) => number)).size, 1);
    assert.equal(new Set(block.map(({ network }) => network.name)).size, 2);
  }
});

for (const count of [2, 3, 4, 5, 6]) {
  test(`balances positions and predecessors of ${count} stacks over every ${count % 2 === 0 ? count : 2 * count} blocks`, () => {
    const arms = Array.from({ length: count }, (_, index) => `s${index}`);
    const set = count % 2 === 0 ? count : 2 * count;
    const networks = NAMED_CONDITIONS.slice(0, 1);
    const repetitions = 3 * set;
    const input = { ...INPUT, subjects: ['a.test'], arms, networks, repetitions };
    const measured = makeSchedule(input).filter(({ warmup }) => !warmup);
    const orders = [...Map.groupBy(measured, ({ block }) => block).values()].map((block) =>
      block.map(({ arm }) => arm),
    );
    for (let from = 0; from < repetitions; from += set) {
      const own = orders.slice(from, from + set);
      for (const arm of arms) {
        const places = own.map((order) => order.indexOf(arm));
        for (let place = 0; place < count; place++) {
          assert.equal(places.filter((each) => each === place).length, set / count);
        }
        const before = own.flatMap((order) => order[order.indexOf(arm) - 1] ?? []);
        const counts = arms.map((each) => before.filter((found) => found === each).length);
        const otherCounts = counts.filter((_, index) => arms[index] !== arm);
        assert.equal(new Set(otherCounts).size, 1, `${arm} follows ${counts}`);
      }
    }
  });
}

test('runs the stacks one after the other in a sequential schedule, under one condition after the other', () => {
  const trials = makeSchedule({ ...INPUT, order: 'sequential', repetitions: 4 });
  const runs = trials.reduce<string[]>((names, { subject, network, arm }) => {
    const name = `${subject} ${network.name} ${arm}`;
    if (names.at(-1) !== name) names.push(name);
    return names;
  }, []);
  assert.equal(runs.length, 2 * 2 * 3);
});

test('gives the stacks of a block the same losses, and other blocks different ones', () => {
  const blocks = Map.groupBy(
    makeSchedule(INPUT),
    ({ subject, network, block }) => `${subject} ${network.name} ${block}`,
  );
  const seeds = [...blocks.values()].map(
    (block) => new Set(block.map(({ networkSeed }) => networkSeed)),
  );
  assert.ok(seeds.every((each) => each.size === 1));
  assert.equal(new Set(seeds.flatMap((each) => [...each])).size, blocks.size);
});

test('gives every trial an id of its own that is a valid file name', () => {
  const ids = makeSchedule(INPUT).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[\w.-]+$/.test(id)));
});

test('gives each kind of visit separate blocks with their own ids, and no more warm-ups', () => {
  const trials = makeSchedule({
    ...INPUT,
    factors: { visit: ['cold', 'resumed'] },
    repetitions: 2,
  });
  assert.equal(trials.length, 2 * (3 + 2 * 2 * 2 * 3));
  assert.equal(trials.filter(({ warmup }) => warmup).length, 2 * 3);
  assert.equal(new Set(trials.map(({ id }) => id)).size, trials.length);
  const blocks = Map.groupBy(
    trials.filter(({ warmup }) => !warmup),
    ({ subject, network, factors, block }) =>
      `${subject} ${network.name} ${factors.visit} ${block}`,
  );
  assert.ok([...blocks.values()].every((block) => new Set(block.map((t) => t.arm)).size === 3));
});

test('looks after whole rounds and whole balanced sets', () => {
  for (let arms = 1; arms <= 12; arms++) {
    const set = arms % 2 === 0 ? arms : 2 * arms;
    assert.equal(blocksPerLook(arms, 4) % set, 0, `${arms} stacks, sets`);
    assert.equal(blocksPerLook(arms, 1) % blocksPerRound(arms), 0, `${arms} stacks, rounds`);
    assert.ok(blocksPerLook(arms, 4) >= 4);
  }
});

test("has only a subject's own arms in its blocks, each in each position equally often", () => {
  const armsOf = (subject: string) => (subject === 'few' ? ['a', 'b'] : ['a', 'b', 'c']);
  const trials = makeSchedule({
    subjects: ['few', 'all'],
    arms: ['a', 'b', 'c'],
    armsOf,
    networks: [NOTHING_ADDED],
    factors: {},
    repetitions: 6,
    order: 'shuffled',
    seed: 3,
    warmsUp: false,
  });
  for (const subject of ['few', 'all']) {
    const own = trials.filter((trial) => trial.subject === subject);
    const blocks = [...Map.groupBy(own, ({ block }) => block).values()];
    assert.equal(blocks.length, 6);
    for (const block of blocks) {
      assert.deepEqual(block.map(({ arm }) => arm).toSorted(), armsOf(subject));
    }
    const first = blocks.filter(([trial]) => trial?.arm === 'a').length;
    assert.equal(first, 6 / armsOf(subject).length);
  }
});

test('filmed loads come before all that count, in balanced blocks, and change no other load', () => {
  const trials = makeSchedule({ ...INPUT, filmedLoads: 3 });
  assert.deepEqual(
    trials.filter(({ filmed }) => !filmed),
    makeSchedule(INPUT),
  );
  const filmed = trials.filter((trial) => trial.filmed);
  assert.equal(filmed.length, 2 * 2 * 3 * 3);
  assert.equal(new Set(trials.map(({ id }) => id)).size, trials.length);
  for (const { warmup, block } of filmed) assert.deepEqual([warmup, block], [true, 0]);
  for (const subject of INPUT.subjects) {
    const own = trials.filter((trial) => trial.subject === subject);
    assert.ok(
      own.findLastIndex((trial) => trial.filmed) < own.findIndex((trial) => trial.block > 0),
    );
  }
  const blocks = Map.groupBy(
    filmed,
    ({ subject, network, repetition }) => `${subject} ${network.name} ${repetition}`,
  );
  for (const block of blocks.values()) {
    assert.deepEqual(block.map(({ arm }) => arm).sort(), [...INPUT.arms].sort());
    assert.equal(new Set(block.map(({ networkSeed }) => networkSeed)).size, 1);
  }
});
