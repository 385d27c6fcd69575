import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LookRecord, StopReason } from '../../../../ground/records/look.ts';
import { NAMED_CONDITIONS } from '../../../../network/conditions.ts';
import { type Block, blocksOf } from '../../../../runner/campaign/block.ts';
import {
  firstLook,
  type LookDecision,
  sequentialStopping,
} from '../../../../runner/campaign/sequential-stopping.ts';
import { blocksPerLook, makeSchedule } from '../../../../runner/schedule.ts';
import { madeLook } from '../../made-run.ts';

const PLAN = {
  subjects: ['a.test', 'b.test'],
  arms: ['lsquic-h3', 'bun-h2'],
  networks: NAMED_CONDITIONS.slice(0, 2),
  factors: { visit: ['cold'] },
  repetitions: 26,
  order: 'shuffled',
  seed: 3,
} as const;
const TRIALS = makeSchedule(PLAN);
const RULE = { budgetMs: 1000, blocksPerLook: 4 };
/** Two sites and conditions, and one stack compared with another one. */
const SIZE = { arms: 2, subjects: 2, comparisons: 4 };
const UNDECIDED: LookDecision = { decided: [], end: null };

/** Hands out all work, each block done before the next; records what looks saw and when. */
async function drain(
  looks: (end: StopReason | null, number: number) => LookDecision,
  {
    before = [],
    tickMs = 0,
    hasUnseen = false,
    done = -1,
    trials: planned = TRIALS,
  }: {
    before?: LookRecord[];
    tickMs?: number;
    hasUnseen?: boolean;
    done?: number;
    trials?: typeof TRIALS;
  } = {},
) {
  let nowMs = 0;
  const lookedAfter: number[] = [];
  const made: Block[] = [];
  const ends: (StopReason | null)[] = [];
  const decides: boolean[] = [];
  const work = sequentialStopping({
    blocks: blocksOf(planned, 'shuffled').filter(({ trials }) => (trials[0]?.block ?? 0) > done),
    rule: RULE,
    ...SIZE,
    before,
    spentMs: before.at(-1)?.elapsedMs ?? 0,
    hasUnseen,
    async look({ end, mayDecide }) {
      decides.push(mayDecide);
      lookedAfter.push(Math.max(0, ...made.map(({ trials }) => trials[0]?.block ?? 0)));
      ends.push(end);
      return looks(end, lookedAfter.length);
    },
    nowMs: () => nowMs,
  });
  for (let block = await work.next(); block; block = await work.next()) {
    made.push(block);
    nowMs += tickMs;
    await work.done(block);
  }
  return { made, lookedAfter, ends, decides };
}

test('looks after complete rounds of all sites and conditions, and last when the plan is used up', async () => {
  const { made, lookedAfter, ends } = await drain((end) => ({ decided: [], end }));
  assert.deepEqual(lookedAfter, [16, 20, 24, 26]);
  assert.deepEqual(ends, [null, null, null, 'repetitions']);
  assert.equal(made.length, blocksOf(TRIALS, 'shuffled').length);
});

test('begins nothing more when everything is decided', async () => {
  const { made } = await drain((_, number) =>
    number === 2 ? { decided: [], end: 'decided' } : UNDECIDED,
  );
  assert.equal(Math.max(...made.map(({ trials }) => trials[0]?.block ?? 0)), 20);
});

test('gives a decided condition no further blocks, and continues the rest at all sites', async () => {
  const decided = [{ network: '30ms', variant: 'cold' }];
  const { made } = await drain((end) => ({ decided, end }));
  const after = made.filter(({ trials }) => (trials[0]?.block ?? 0) > 16);
  assert.deepEqual(new Set(after.map(({ trials }) => trials[0]?.network.name)), new Set(['none']));
  assert.deepEqual(
    new Set(after.map(({ trials }) => trials[0]?.subject)),
    new Set(['a.test', 'b.test']),
  );
});

test('ends with a look when a budget is used up, also before the first planned one', async () => {
  const { made, lookedAfter, ends } = await drain((end) => ({ decided: [], end }), { tickMs: 300 });
  assert.equal(made.length, 4);
  assert.deepEqual(ends, ['budget']);
  assert.equal(lookedAfter.length, 1);
});

test('makes all filmed blocks, outside of the budget', async () => {
  const trials = makeSchedule({ ...PLAN, filmedLoads: 3 });
  const { made } = await drain((end) => ({ decided: [], end }), { tickMs: 300, trials });
  const filmed = made.filter((block) => block.trials[0]?.filmed);
  assert.equal(filmed.length, 2 * 3);
  assert.equal(made.length - filmed.length, 4, 'as many as without films');
});

test('waits in a look for the rows of all begun work', async () => {
  const work = sequentialStopping({
    blocks: blocksOf(TRIALS, 'shuffled'),
    rule: RULE,
    ...SIZE,
    before: [],
    spentMs: 0,
    hasUnseen: false,
    look: async () => assert.fail('looked too early'),
    nowMs: () => 0,
  });
  const open: Block[] = [];
  for (let block = await work.next(); block; block = await work.next()) open.push(block);
  assert.equal(Math.max(...open.map(({ trials }) => trials[0]?.block ?? 0)), 16);
  assert.ok(work.expects(TRIALS.at(-1)?.id ?? ''));
});

test('takes the looks of earlier invocations into account', async () => {
  const decided = [{ network: 'none', variant: 'cold' }];
  const look = (end: StopReason | null) =>
    madeLook({ elapsedMs: 900, fraction: 0.9, decided, end });
  const { made, ends } = await drain((end) => ({ decided: [], end }), {
    before: [look(null)],
    tickMs: 60,
  });
  assert.ok(made.every(({ trials }) => trials[0]?.warmup || trials[0]?.network.name === '30ms'));
  assert.deepEqual(ends, ['budget']);
  assert.equal((await drain(() => UNDECIDED, { before: [look('decided')] })).made.length, 0);
});

test('looks first when it continues after an interruption, and at the planned blocks after that', async () => {
  const { lookedAfter, decides } = await drain((end) => ({ decided: [], end }), {
    hasUnseen: true,
    done: 17,
  });
  assert.deepEqual(lookedAfter, [0, 20, 24, 26]);
  assert.deepEqual(decides, [false, true, true, true]);
});

test('moves no planned look because of an interruption', async () => {
  const { lookedAfter } = await drain((end) => ({ decided: [], end }), {
    hasUnseen: true,
    done: 3,
  });
  assert.deepEqual(lookedAfter, [0, 16, 20, 24, 26]);
});

test('first looks with pairs for the test of every site, and browsers enough to estimate their variance', () => {
  const firstOf = (subjects: number, comparisons: number) =>
    [2, 3, 4, 5, 6].map((arms) =>
      firstLook(blocksPerLook(arms, comparisons), { arms, subjects, comparisons }),
    );
  assert.deepEqual(firstOf(4, 16), [12, 12, 16, 20, 24]);
  assert.deepEqual(firstOf(1, 2), [28, 42, 52, 70, 78]);
  // One question about one page.
  assert.deepEqual(firstOf(1, 1), [10, 18, 20, 30, 30]);
  // 2 / 2^13 is the first power that passes for 200 tests.
  assert.deepEqual(firstOf(50, 200), [16, 18, 16, 20, 18]);
});
