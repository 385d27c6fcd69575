import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../ground/records/format.ts';
import type { LookRecord } from '../../../../ground/records/look.ts';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { summarySchema } from '../../../../report/summary/schema.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { DELAYED } from '../../../netem/guest/settings.ts';
import { closed } from '../../closed-schema.ts';
import { type FixtureOptions, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { runOnTwoMachines } from '../several-machines.ts';

const problemOf = schemaCheck(closed(summarySchema));

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'&\u001b[2J\u202e,\n;';

function summaryOf(options: FixtureOptions, stackNames: (name: string) => string = (name) => name) {
  const { run, observations, calibrations } = fixtureRun(options);
  for (const arm of run.arms) {
    if (arm.arm === 'flask-h1') arm.controlOf = stackNames('bun-h2');
    arm.label = stackNames(arm.label);
    arm.arm = stackNames(arm.arm);
  }
  run.analysis.baseline = stackNames(run.analysis.baseline);
  for (const load of [...observations, ...run.trials]) load.arm = stackNames(load.arm);
  const warnings = [stackNames('a warning')];
  // As a reader gets it: through JSON, which has no undefined and no NaN.
  return JSON.parse(JSON.stringify(summarise(run, observations, calibrations, { warnings })));
}

function assertValid(summary: unknown): void {
  assert.equal(problemOf(summary), null);
}

test('a full summary is as its schema says: visits, a control, a sweep, loads left out and disturbed', () => {
  const summary = summaryOf({
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
  for (const list of ['rows', 'comparisons', 'primary', 'controls', 'sweeps', 'fairness']) {
    assert.ok(summary[list].length > 0, list);
  }
  assert.ok(summary.ledger.entries.length === 2 && summary.ledger.disturbed.nLoads > 0);
});

test('hostile names stay what they are and break nothing', () => {
  const hostile = summaryOf(
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
  assert.equal(hostile.ledger.entries[0].code, HOSTILE);
});

test('a run of two machines is as its schema says', () => {
  const { run, observations, invocations } = runOnTwoMachines(({ block }) =>
    block % 2 === 0 ? 0 : 1,
  );
  const summary = summarise(run, observations, [], { invocations });
  assertValid(JSON.parse(JSON.stringify(summary)));
  assert.ok(summary.machines.every(({ primary }) => primary.length > 0));
});

test('a run of a frozen plan started with its first invocation, on whatever machine', () => {
  const { run, observations, invocations } = runOnTwoMachines(({ block }) =>
    block % 2 === 0 ? 0 : 1,
  );
  run.startedAt = '2026-11-19T08:00:00.000Z';
  const [, second] = invocations;
  assert.ok(second);
  second.startedAt = '2026-11-20T09:00:00.000Z';
  const { startedAt } = summarise(run, observations, [], { invocations });
  assert.equal(startedAt, second.startedAt);
});

test('a run without loads and an interrupted one are as the schema says', () => {
  const { run, observations } = fixtureRun({ subjects: ['a.example'] });
  for (const made of [[], observations.slice(0, 1), observations.slice(0, 8)]) {
    assertValid(JSON.parse(JSON.stringify(summarise(run, made))));
  }
});

test('a field that is missing, of another type or unknown is found', () => {
  const good = summaryOf({ ...ONE_SITE, repetitions: 1 });
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

test('a run that a rule stopped, with failures that leave no ratio and no limit, is as its schema says', () => {
  for (const end of ['budget', null] as const) {
    const { run, observations, invocations } = fixtureRun({
      subjects: ['a', 'b', 'c', 'd', 'e'],
      networks: [NONE],
      repetitions: 8,
      change: (load) => {
        const failing = load.arm === 'lsquic-h3' ? 5 : load.arm === 'flask-h1' ? 2 : 0;
        if (load.block > 0 && load.block <= failing) spoil(load, 'failed', 'timeout', 'late');
      },
    });
    run.stopping = { rule: 'pocock-spending', alpha: 0.05, budgetMs: 9, blocksPerLook: 6 };
    const look: LookRecord = {
      formatVersion: FORMAT_VERSION,
      formatMinor: FORMAT_MINOR,
      invocation: invocations[0]?.id ?? '',
      at: '2026-11-20T10:02:00.000Z',
      order: 200,
      elapsedMs: 90_123.5,
      fraction: 0.375,
      told: [{ network: 'none', variant: 'cold' }],
      end,
    };
    const summary = summarise(run, observations, [], { invocations, looks: [look] });
    const [failing, limping] = summary.primary;
    assert.equal(failing?.ratio, null);
    assert.deepEqual([limping?.ratio?.high, limping?.ratio?.low === null], [null, false]);
    assert.ok(limping?.pagesLikeThese);
    assertValid(JSON.parse(JSON.stringify(summary)));
  }
});
