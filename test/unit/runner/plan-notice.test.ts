import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIVE_NETWORK } from '../../../ground/records/network.ts';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { addressNotices, defaultBudgetMs, planNotices } from '../../../runner/plan-notice.ts';
import { DELAYED, fixtureRun, NONE } from '../report/fixture-run.ts';

/** A plan of three stacks, with a stopping rule if there is a budget. */
function planOf(subjects: number, repetitions: number, budgetMs: number | null = null): PlanRecord {
  const { run } = fixtureRun({ networks: [NONE, DELAYED], repetitions: 1 });
  const [subject] = run.subjects;
  assert.ok(subject);
  return {
    ...run,
    repetitions,
    subjects: Array.from({ length: subjects }, () => subject),
    ...(budgetMs && {
      stopping: { rule: 'pocock-spending', alpha: 0.05, budgetMs, blocksPerLook: 6 },
    }),
  };
}

test('sets a budget of five minutes, or the time until the first look, in whole minutes', () => {
  const sizeOf = (subjects: number, arms: number, conditions: number) => ({
    subjects,
    arms,
    conditions,
    compared: arms - 1,
  });
  assert.equal(defaultBudgetMs(sizeOf(1, 2, 1)), 270_000);
  // The default run: 4 sites x 3 stacks x 2 conditions x 12 blocks x 800 ms = 230.4 s until the first look.
  assert.equal(defaultBudgetMs(sizeOf(4, 3, 2)), 270_000);
  // 6 sites: 345.6 s.
  assert.equal(defaultBudgetMs(sizeOf(6, 3, 2)), 360_000);
});

test('states the maximum duration of a plan with a rule', () => {
  assert.deepEqual(planNotices(planOf(4, 60, 240_000)), [
    'The run continues until every answer is precise, for at most 4 min or 60 repetitions.',
  ]);
  assert.match(planNotices(planOf(1, 60, 90_000))[0] ?? '', /at most 90 s or 60/);
});

test('warns of a budget that ends before the first look', () => {
  const [, short] = planNotices(planOf(4, 60, 60_000));
  assert.equal(
    short,
    'That is probably too short: the first look at the answers comes after 288 loads, about 4 min. With fewer there is one look, at the end. Use a larger --budget, or fewer pages.',
  );
  // Exactly enough.
  assert.equal(planNotices(planOf(4, 60, 4 * 3 * 2 * 12 * 800)).length, 1);
});

test('warns of too few repetitions for any verdict, and of no other number', () => {
  assert.match(planNotices(planOf(4, 5))[0] ?? '', /^With --repetitions 5 nothing can be decided/);
  assert.deepEqual(planNotices(planOf(4, 6)), []);
});

test('warns of known problems of a site before its first load, with one stack as well', () => {
  const { subjects, arms, ...plan } = planOf(2, 6);
  const known = subjects.map((each) => ({ ...each, warning: 'it is empty.' }));
  const [warning, second, ...rest] = planNotices({
    ...plan,
    arms: arms.slice(0, 1),
    subjects: known,
  });
  assert.equal(warning, `Warning about ${subjects[0]?.subject}: it is empty.`);
  assert.deepEqual([second, ...rest], [warning]);
});

test('prints no comparison notice with one stack', () => {
  const { arms, ...plan } = planOf(4, 1);
  assert.deepEqual(planNotices({ ...plan, arms: arms.slice(0, 1) }), []);
});

test('names the target of a plan for existing hosts', () => {
  const { run: plan } = fixtureRun({ repetitions: 1 });
  assert.deepEqual(addressNotices(plan), []);
  const [arm] = plan.arms;
  assert.ok(arm);
  const url = 'https://10.0.0.1:8006';
  const own = { ...plan, arms: [{ ...arm, arm: 'mine-h2', own: { url } }] };
  assert.match(addressNotices(own).join(), /mine-h2 at https:\/\/10\.0\.0\.1:8006/);
  const live = { ...plan, networks: [LIVE_NETWORK] };
  assert.match(addressNotices(live).join(), /connects to https:\/\/www\.iana\.org\//);
});
