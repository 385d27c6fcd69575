import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { Trial } from '../../../../ground/records/run.ts';
import { NONE } from '../../../../test/unit/report/fixture-run.ts';
import { needsExplanation } from '../../explain.ts';
import { madeUpTransfers } from './sections/made-up-transfers.ts';

const { run } = madeUpTransfers({ sizes: { '10kB': 1e4, '1MB': 1e6 }, repetitions: 1 });
const TRIAL: Trial = {
  id: 'any',
  subject: '10kB',
  arm: 'quick-start',
  network: NONE,
  networkSeed: 0,
  repetition: 1,
  block: 1,
  warmup: false,
  factors: {},
};

const TRANSFERS = {
  client: 'bun',
  direction: 'download',
  streamWindowBytes: null,
  receiveWindowBytes: null,
  explains: true,
};

/** Transfers that an explaining run requests from its bench; each call is another invocation. */
function explaining(before: readonly unknown[] = []) {
  return {
    choices: { ...run.choices, transfers: TRANSFERS },
    async *recordedAttempts() {
      yield* before as Observation[];
    },
  };
}

test('explains the first counted transfer of each cell only', async () => {
  const bench = explaining();
  assert.equal(await needsExplanation({ ...TRIAL, warmup: true }, bench), false);
  assert.equal(await needsExplanation(TRIAL, bench), true);
  assert.equal(await needsExplanation({ ...TRIAL, repetition: 2 }, bench), false);
  assert.equal(await needsExplanation({ ...TRIAL, subject: '1MB' }, bench), true);
  assert.equal(await needsExplanation({ ...TRIAL, arm: 'quick-bytes' }, bench), true);
  assert.equal(
    await needsExplanation(TRIAL, {
      ...bench,
      choices: { ...run.choices, transfers: { ...TRANSFERS, explains: false } },
    }),
    false,
  );
});

test('does not explain again what an earlier invocation explained, but what it only made', async () => {
  const { warmup, ...made } = TRIAL;
  const bench = explaining([
    { ...made, details: { explains: { relaxed: 'link' } } },
    { ...made, subject: '1MB', details: {} },
    { ...made, arm: 'quick-bytes', details: null },
    { ...made, subject: '5MB', details: { limitInRepetition: { limit: null } } },
  ]);
  assert.equal(await needsExplanation(TRIAL, bench), false);
  assert.equal(await needsExplanation({ ...TRIAL, subject: '5MB' }, bench), false);
  assert.equal(await needsExplanation({ ...TRIAL, subject: '1MB' }, bench), true);
  assert.equal(await needsExplanation({ ...TRIAL, arm: 'quick-bytes' }, bench), true);
});
