import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { summarySchema } from '../../../../report/summary/schema.ts';
import { DELAYED } from '../../../netem/guest/settings.ts';
import { closed } from '../../closed-schema.ts';
import { madeLook, STOPPING } from '../../made-run.ts';
import { type FixtureOptions, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';
import { runOnTwoMachines } from '../several-machines.ts';

const problemOf = schemaCheck(closed(summarySchema));

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'&\u001b[2J\u202e,\n;';

function jsonOf(options: FixtureOptions, stackNames: (name: string) => string = (name) => name) {
  const made = fixtureRun(options);
  const { run, observations } = made;
  for (const arm of run.arms) {
    if (arm.arm === 'flask-h1') arm.controlOf = stackNames('bun-h2');
    arm.label = stackNames(arm.label);
    arm.arm = stackNames(arm.arm);
  }
  run.analysis.baseline = stackNames(run.analysis.baseline);
  const shares = run.networks.map(({ name }) => [name, 100 / run.networks.length]);
  run.analysis.mix = Object.fromEntries(shares);
  for (const load of [...observations, ...run.trials]) load.arm = stackNames(load.arm);
  const warnings = [stackNames('a warning')];
  // As a reader gets it: through JSON, which has no undefined and no NaN.
  return JSON.parse(JSON.stringify(summaryOf(made, { warnings })));
}

function assertValid(summary: unknown): void {
  assert.equal(problemOf(summary), null);
}

test('accepts a full summary: visits, a control, a sweep, exclusions and disturbed loads', () => {
  const summary = jsonOf({
    networks: [
      NONE,
      DELAYED,
      { ...DELAYED, name: 'lossy', burstLoss: { enterPercent: 1, leavePercent: 30 } },
    ],
    visits: ['cold', 'repeat'],
    repetitions: 8,
    change: (load) => {
      if (load.repetition === 2) load.disturbed = 'Other programs took 80 % of a core.';
      if (load.order === 20) spoil(load, 'failed', 'timeout', 'late');
      if (load.order === 41) spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  assertValid(summary);
  for (const list of [
    'rows',
    'comparisons',
    'primary',
    'mix',
    'recommendations',
    'controls',
    'sweeps',
    'fairness',
  ]) {
    assert.ok(summary[list].length > 0, list);
  }
  assert.ok(summary.exclusions.entries.length === 2 && summary.exclusions.disturbed.nLoads > 0);
});

test('keeps hostile names unchanged and intact', () => {
  const hostile = jsonOf(
    {
      subjects: ['constructor', '__proto__'],
      networks: [{ ...NONE, name: 'toString' }],
      repetitions: 2,
      change: (load) => {
        if (load.order === 9) spoil(load, 'failed', HOSTILE, HOSTILE);
        load.disturbed = HOSTILE;
      },
    },
    (name) => `__proto__${name}`,
  );
  assertValid(hostile);
  assert.equal(hostile.rows[0].subject, 'constructor');
  assert.equal(hostile.exclusions.entries[0].code, HOSTILE);
});

test('accepts a run of two machines', () => {
  const summary = summaryOf(runOnTwoMachines());
  assertValid(JSON.parse(JSON.stringify(summary)));
  assert.ok(summary.machines.every(({ primary }) => primary.length > 0));
});

test('starts a run of a frozen plan with its first invocation, on any machine', () => {
  const made = runOnTwoMachines();
  made.run.startedAt = '2026-11-19T08:00:00.000Z';
  const [, second] = made.invocations;
  assert.ok(second);
  second.startedAt = '2026-11-20T09:00:00.000Z';
  assert.equal(summaryOf(made).startedAt, second.startedAt);
});

test('accepts a run without loads and an interrupted one', () => {
  const made = fixtureRun({ subjects: ['a.example'] });
  for (const count of [0, 1, 8]) {
    const observations = made.observations.slice(0, count);
    assertValid(JSON.parse(JSON.stringify(summaryOf({ ...made, observations }))));
  }
});

test('finds a missing, mistyped or unknown field', () => {
  const good = jsonOf({ ...ONE_SITE, repetitions: 1 });
  assertValid(good);
  for (const spoiled of [
    { ...good, formatVersion: 1 },
    { ...good, extra: 1 },
    { ...good, rows: [{ ...good.rows[0], n: '1' }] },
    { ...good, comparisons: [{ ...good.comparisons[0], verdict: 'better' }] },
    ...Object.keys(good).map((field) => ({ ...good, [field]: undefined })),
  ]) {
    assert.notEqual(problemOf(JSON.parse(JSON.stringify(spoiled))), null);
  }
});

test('accepts a run that a rule stopped, with failures that leave no ratio and no limit', () => {
  for (const end of ['budget', null] as const) {
    const made = fixtureRun({
      subjects: ['a', 'b', 'c', 'd', 'e'],
      networks: [NONE],
      repetitions: 8,
      change: (load) => {
        const failing = load.arm === 'lsquic-h3' ? 5 : load.arm === 'flask-h1' ? 2 : 0;
        if (load.block > 0 && load.block <= failing) spoil(load, 'failed', 'timeout', 'late');
      },
    });
    made.run.stopping = { ...STOPPING, budgetMs: 9 };
    const decided = [{ network: 'none', variant: 'cold' }];
    const looks = [madeLook({ order: 200, elapsedMs: 90_123.5, fraction: 0.375, decided, end })];
    const summary = summaryOf(made, { looks });
    const [failing, limping] = summary.primary;
    assert.equal(failing?.ratio, null);
    assert.deepEqual([limping?.ratio?.high, limping?.ratio?.low === null], [null, false]);
    assert.ok(limping?.pagesLikeThese);
    assertValid(JSON.parse(JSON.stringify(summary)));
  }
});
