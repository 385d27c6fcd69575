import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../records/format.ts';
import type { EndOfLooks, LookRecord } from '../../../../records/look.ts';
import type { StoppingRule } from '../../../../records/run.ts';
import {
  asFarAsBegun,
  looksOf,
  significanceAfter,
  toldConditions,
} from '../../../../report/summary/looks.ts';
import { DELAYED, fixtureRun, NONE } from '../fixture-run.ts';

const STOPPING: StoppingRule = {
  rule: 'pocock-spending',
  alpha: 0.05,
  budgetMs: 240_000,
  blocksPerLook: 6,
};

function look(order: number, fraction: number, end: EndOfLooks | null = null): LookRecord {
  return {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    invocation: 's',
    at: '2026-11-22T00:00:00.000Z',
    order,
    elapsedMs: 1000,
    fraction,
    told: [],
    end,
  };
}

test('a run with a number of repetitions is looked at once, whatever else lies in its folder', () => {
  const [only, ...others] = looksOf({}, [look(9, 0.5)]);
  assert.deepEqual([only, others], [{ order: Number.POSITIVE_INFINITY, fraction: 1 }, []]);
});

test('a run that came to its end has its own looks, an interrupted one a last one at everything', () => {
  const run = { stopping: STOPPING };
  assert.deepEqual(looksOf(run, [look(9, 0.5), look(18, 1, 'told')]), [
    { order: 9, fraction: 0.5 },
    { order: 18, fraction: 1 },
  ]);
  const all = { order: Number.POSITIVE_INFINITY, fraction: 1 };
  assert.deepEqual(looksOf(run, [look(9, 0.5)]), [{ order: 9, fraction: 0.5 }, all]);
  assert.deepEqual(looksOf(run, []), [all]);
});

test('what is tested once at the end of a run has what its looks leave of the 5 %', () => {
  const after = (...fractions: number[]) =>
    significanceAfter(fractions.map((fraction, index) => ({ order: index + 1, fraction })));
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
  assert.ok(Math.abs(significanceAfter(twice) - 0.05) < 1e-12);
  // Told at its first look: no look before took anything.
  assert.ok(Math.abs(after(0.25) - 0.05) < 1e-12);
  // A budget that ends before the first load: its look saw nothing at all.
  assert.equal(significanceAfter([{ order: 0, fraction: 1 }]), 0.05);
});

test('a run that a rule stopped has the trials that it began, all of its warm-ups, and the first block of all', () => {
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
  const { trials, ...rest } = asFarAsBegun({ ...run, stopping: STOPPING }, made);
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
  assert.equal(asFarAsBegun(run, made), run);
});

test('a look is at the pairs of the plan', () => {
  const { run, observations, invocations } = fixtureRun({
    subjects: ['a.example'],
    networks: [NONE],
    repetitions: 12,
    change: ({ arm, metrics }) => {
      // Both others are far from the usual baseline, and so near to each other that nothing is told of them.
      if (arm === 'bun-h2' && metrics.pageLoadMs) metrics.pageLoadMs *= 0.5;
      if (arm === 'flask-h1' && metrics.pageLoadMs) metrics.pageLoadMs /= 1.6;
    },
  });
  const looks = [{ order: Number.POSITIVE_INFINITY, fraction: 1 }];
  const seen = { invocations, observations, looks };
  assert.deepEqual(toldConditions(run, seen), {
    told: [{ network: 'none', variant: 'cold' }],
    all: true,
  });
  Object.assign(run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' });
  assert.deepEqual(toldConditions(run, seen), { told: [], all: false });
});
