import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StopReason } from '../../../../ground/records/look.ts';
import {
  begunPartOf,
  decidedConditions,
  fractionAt,
  looksOf,
  significanceAfter,
} from '../../../../report/summary/looks.ts';
import type { RunLook } from '../../../../report/summary/primary.ts';
import { nominalLevels } from '../../../../statistics/group-sequential.ts';
import { madeLook, STOPPING } from '../../made-run.ts';
import { DELAYED, fixtureRun, NONE, ONE_SITE } from '../fixture-run.ts';

const look = (order: number, fraction: number, end: StopReason | null = null) =>
  madeLook({ order, fraction, end });

/** A plan of one page with looks, with its first blocks made. */
function madeUntil(lastBlock: number) {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 20,
  });
  const made = observations.filter(({ block }) => block <= lastBlock);
  return { plan: { ...run, stopping: STOPPING }, made };
}

test('looks once at a run with a number of repetitions, despite other files in its folder', () => {
  const { plan, made } = madeUntil(4);
  const { stopping: _, ...fixed } = plan;
  const [only, ...rest] = looksOf(fixed, [look(9, 0.5)], made);
  assert.deepEqual([only, rest], [{ order: Number.POSITIVE_INFINITY, fraction: 1 }, []]);
});

test("uses the run's own looks once it ended, and a report's look within the known spending if interrupted", () => {
  const { plan, made } = madeUntil(4);
  assert.deepEqual(looksOf(plan, [look(9, 0.5), look(18, 1, 'decided')], made), [
    { order: 9, fraction: 0.5, decided: [] },
    { order: 18, fraction: 1, decided: [] },
  ]);
  const all = (fraction: number) => ({ order: Number.POSITIVE_INFINITY, fraction });
  assert.deepEqual(looksOf(plan, [], made), [all(0.2)]);
  assert.deepEqual(looksOf(plan, [look(9, 0.1)], made), [
    { order: 9, fraction: 0.1, decided: [] },
    all(0.2),
  ]);
  assert.deepEqual(looksOf(plan, [look(9, 0.5)], made).at(-1), all(0.5), 'never less than before');
  assert.deepEqual(looksOf(plan, [], []), [all(0)]);
});

test('spends error by the planned blocks that are made, of the condition with the most', () => {
  const { plan, made } = madeUntil(8);
  assert.equal(fractionAt(plan, made, []), 0.4);
  const decided = made.filter(({ network, block }) => network.name === '30ms' || block <= 4);
  assert.equal(fractionAt(plan, decided, []), 0.4);
  const half = made.filter(({ subject, block }) => subject === 'a.example' || block <= 4);
  assert.equal(fractionAt(plan, half, []), 0.3);
  assert.equal(fractionAt(plan, [], []), 0);
});

test('gives a single test at the end of a run what its looks leave of the 5 %', () => {
  const after = (...fractions: number[]) =>
    significanceAfter(
      fractions.map((fraction, index) => ({ order: index + 1, fraction })),
      true,
    );
  assert.ok(Math.abs(after(1) - 0.05) < 1e-12);
  // Two looks half-way and at the end: 0.0277.
  assert.ok(Math.abs(after(0.5, 1) - 0.0277) < 1e-4);
  assert.ok(after(0.25, 0.5, 0.75, 1) < after(0.5, 1));
  assert.equal(after(), 0.05);
  // A budget that ends right after a look saw nothing new: the two are one.
  const twice = [
    { order: 9, fraction: 0.95 },
    { order: 9, fraction: 1 },
  ];
  assert.ok(Math.abs(significanceAfter(twice, true) - 0.05) < 1e-12);
  // Decided at its first look: no earlier look spent anything.
  assert.ok(Math.abs(after(0.25) - 0.05) < 1e-12);
  // A budget that ends before the first load: its look saw nothing at all.
  assert.equal(significanceAfter([{ order: 0, fraction: 1 }], true), 0.05);
});

test('tests an unfinished run with what may be spent so far', () => {
  const [first = 1] = nominalLevels(0.05, [{ fraction: 0.25, information: 1 }]);
  const looks = [{ order: Number.POSITIVE_INFINITY, fraction: 0.25 }];
  assert.ok(Math.abs(significanceAfter(looks, false) - first) < 1e-12);
  assert.ok(first < 0.02);
});

test('counts the begun trials of a run that a rule stopped, all of its warm-ups, and the first block', () => {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 3,
  });
  const made = observations.filter(
    ({ subject, block, network, arm }) =>
      block === 0 ||
      (subject === 'a.example' && network.name === '30ms' && block < 3 && arm === 'bun-h2'),
  );
  const { trials, ...rest } = begunPartOf({ ...run, stopping: STOPPING }, made);
  assert.equal(trials.filter(({ warmup }) => warmup).length, 6);
  assert.deepEqual(
    trials
      .filter(({ warmup }) => !warmup)
      .map(({ id }) => id)
      .sort(),
    ['s1.none', 's1.30ms', 's2.none', 's2.30ms']
      .flatMap((cell) => (cell === 's1.30ms' ? [`${cell} 1`, `${cell} 2`] : [`${cell} 1`]))
      .flatMap((name) => run.arms.map(({ arm }) => name.replace(' ', `.${arm}.`)))
      .sort(),
  );
  assert.equal(rest.repetitions, 3);
  assert.equal(begunPartOf(run, made), run);
});

test('looks at the pairs of the plan', () => {
  const { run, observations, invocations } = fixtureRun({
    ...ONE_SITE,
    repetitions: 12,
    change: ({ arm, order, metrics }) => {
      // Both are far from the usual baseline, and too near to each other for a decision.
      const usual = { 'lsquic-h3': 200, 'bun-h2': 100, 'flask-h1': 206 }[arm] ?? 1;
      metrics.pageLoadMs = usual * (1 + 0.0012 * ((order * 7919) % 100));
    },
  });
  const looks = [{ order: Number.POSITIVE_INFINITY, fraction: 1 }];
  const seen = { invocations, observations, looks };
  assert.deepEqual(decidedConditions(run, seen), {
    decided: [{ network: 'none', variant: 'cold' }],
    all: true,
  });
  Object.assign(run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' });
  assert.deepEqual(decidedConditions(run, seen), { decided: [], all: false });
});

test('continues a condition while the test of a single site is open, and keeps decisions', () => {
  const { run, observations, invocations } = fixtureRun({
    subjects: ['a.example', 'b.example', 'c.example', 'd.example'],
    networks: [NONE],
    repetitions: 12,
    change: ({ arm, subject, order, metrics }) => {
      const factor = { 'lsquic-h3': 0.5, 'bun-h2': 1, 'flask-h1': 2 }[arm] ?? 1;
      metrics.pageLoadMs = 200 * factor + (order % 7);
      // As long as Bun's on average, and apart by a few percent.
      if (subject === 'd.example' && arm === 'lsquic-h3')
        metrics.pageLoadMs = 170 + ((order * 7919) % 61);
    },
  });
  const decidedAt = (looks: readonly RunLook[]) =>
    decidedConditions(run, { invocations, observations, looks });
  const all = { order: Number.POSITIVE_INFINITY, fraction: 1 };
  const decided = [{ network: 'none', variant: 'cold' }];
  assert.deepEqual(decidedAt([all]), { decided: [], all: false });
  assert.deepEqual(decidedAt([{ order: 1, fraction: 0.5, decided }, all]), {
    decided,
    all: true,
  });
});
