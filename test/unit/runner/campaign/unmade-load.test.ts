import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfPageLoad } from '../../../../records/problems.ts';
import { unmadeLoad } from '../../../../runner/campaign/unmade-load.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

test('a load that could not be begun is a whole record that failed and has no numbers', () => {
  const trial = fixtureRun({ repetitions: 1 }).run.trials.at(-1);
  assert.ok(trial);
  const load = unmadeLoad(
    trial,
    { protocol: 'h2' },
    { code: 'server-failed', message: 'It did not start.' },
    { invocation: 'a-invocation', backend: 'userspace' },
  );
  assert.equal(problemOfPageLoad({ ...load, order: 7 }), null);
  const { id, outcome, code, message, invocation, har, timingsMs, network } = load;
  assert.deepEqual(
    { id, outcome, code, message, invocation, har },
    {
      ...{ id: trial.id, outcome: 'failed', code: 'server-failed' },
      ...{ message: 'It did not start.', invocation: 'a-invocation', har: null },
    },
  );
  assert.ok(Object.values(timingsMs).every((value) => value === null));
  assert.equal(network.name, trial.network.name);
});
