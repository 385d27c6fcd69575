import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSha256 } from '../../../../ground/records/plan-digest.ts';
import type { PlanRecord } from '../../../../ground/records/run.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const {
  backend: _,
  fairness: __,
  versions: ___,
  revision: ____,
  host: _____,
  planSha256: ______,
  ...PLAN
} = fixtureRun({ repetitions: 2 }).run;
type Plan = Omit<PlanRecord, 'planSha256'>;

test('ignores the order of fields, the name, the time, the command and the cores', () => {
  const turned = Object.fromEntries(Object.entries(PLAN).reverse()) as unknown as Plan;
  const elsewhere: Plan = {
    ...turned,
    runId: 'other',
    startedAt: '2030-01-01T00:00:00.000Z',
    command: [],
    choices: { ...PLAN.choices, pinned: null },
  };
  assert.match(planSha256(PLAN), /^[0-9a-f]{64}$/);
  assert.equal(planSha256(elsewhere), planSha256(PLAN));
});

test('changes with everything that decides what is loaded, how, or how it is evaluated', () => {
  const [first, second, ...rest] = PLAN.trials;
  assert.ok(first && second);
  const changed: Plan[] = [
    { ...PLAN, seed: PLAN.seed + 1 },
    { ...PLAN, timeoutS: PLAN.timeoutS + 1 },
    { ...PLAN, trials: [second, first, ...rest] },
    { ...PLAN, trials: PLAN.trials.slice(1) },
    { ...PLAN, choices: { ...PLAN.choices, tlsMost: '1.2' } },
    {
      ...PLAN,
      subjects: PLAN.subjects.map((subject) => ({ ...subject, manifestSha256: 'cd'.repeat(32) })),
    },
    { ...PLAN, analysis: { ...PLAN.analysis, marginPercent: 1 } },
  ];
  const digests = new Set([PLAN, ...changed].map(planSha256));
  assert.equal(digests.size, changed.length + 1);
});
