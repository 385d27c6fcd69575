import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { INTERFERENCE_RULE } from '../../../ground/host/interference-rule.ts';
import { problemOfObservation } from '../../../ground/records/problems.ts';
import { notMadeAttempt, observationOf } from '../../../runner/observation.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const { run, observations } = fixtureRun({ repetitions: 1 });
const problemOf = problemOfObservation(pageLoad.details);
const UNMEASURED = {
  order: 7,
  plan: { ...run, interferenceRule: INTERFERENCE_RULE },
  invocation: { id: 'an-invocation', backend: 'userspace' as const },
};
const MEASURED = { ...UNMEASURED, measuredPath: { measuredRttMs: 30.25, pathLate: null } };

/** The last planned attempt, and its result. */
function lastMade() {
  const trial = run.trials.at(-1);
  const load = observations.at(-1);
  assert.ok(trial && load?.id === trial.id && load.machine);
  const { outcome, code, message, metrics, path, connections, machine } = load;
  const { client, stepsMs, files, details, startedAt } = load;
  const made = {
    outcome,
    code,
    message,
    metrics,
    path,
    connections,
    machine,
    client,
    stepsMs,
    files,
    details,
    startedAt: new Date(startedAt),
  };
  return { trial, made };
}

test('writes a whole failed record without numbers for a load that could not begin', () => {
  const { trial } = lastMade();
  const obstacle = { code: 'server-failed', message: 'It did not start.' } as const;
  const load = observationOf(trial, notMadeAttempt(obstacle), UNMEASURED);
  assert.equal(problemOf(load), null);
  const { id, outcome, code, message, invocation, files, metrics, network, details } = load;
  assert.deepEqual(
    { id, outcome, code, message, invocation, files, metrics, details },
    {
      id: trial.id,
      outcome: 'failed',
      code: 'server-failed',
      message: 'It did not start.',
      invocation: 'an-invocation',
      files: {},
      metrics: {},
      details: null,
    },
  );
  assert.deepEqual(network, { ...trial.network, backend: 'userspace', measuredRttMs: null });
});

test('writes a record with its planned trial, its result, and the path as measured', () => {
  const { trial, made } = lastMade();
  const load = observationOf(trial, made, MEASURED);
  assert.equal(problemOf(load), null);
  assert.deepEqual(load, {
    ...observations.at(-1),
    order: 7,
    invocation: 'an-invocation',
    network: { ...trial.network, backend: 'userspace', measuredRttMs: 30.25 },
  });
});

test('names the arm and the repeated stack in a record of a control', () => {
  const { trial, made } = lastMade();
  const control = { ...trial, arm: 'flask-h1-control' };
  const arms = run.arms.map((each) =>
    each.arm === 'flask-h1' ? { ...each, arm: 'flask-h1-control', controlOf: 'flask-h1' } : each,
  );
  const plan = { ...run, arms };
  const { arm, stack } = observationOf(control, made, { ...MEASURED, plan });
  assert.deepEqual([arm, stack], ['flask-h1-control', 'flask-h1']);
});

test('numbers an attempt at a repeated block', () => {
  const { trial, made } = lastMade();
  const again = { ...trial, id: `${trial.id}~3` };
  assert.equal(observationOf(again, made, MEASURED).attempt, 3);
});

test('marks an attempt as disturbed by a noisy machine, by a late path, or by both', () => {
  const { trial, made } = lastMade();
  const disturbedBy = (otherCpuPercent: number, pathLate: string | null) =>
    observationOf(
      trial,
      { ...made, machine: { ...made.machine, otherCpuPercent } },
      { ...MEASURED, measuredPath: { measuredRttMs: null, pathLate } },
    ).disturbed;
  assert.equal(disturbedBy(0, null), null);
  assert.equal(disturbedBy(0, 'The path was late.'), 'The path was late.');
  assert.match(disturbedBy(80, null) ?? '', /^The machine was disturbed: .*\.$/);
  assert.match(
    disturbedBy(80, 'The path was late.') ?? '',
    /^The machine was disturbed: .*\. The path was late\.$/,
  );
});
