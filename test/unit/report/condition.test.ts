import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionsOf, conditionText } from '../../../report/condition.ts';
import { summarise } from '../../../report/summary.ts';
import { fixtureRun } from './fixture-run.ts';

test('a network condition is told by its numbers', () => {
  const none = { rttMs: 0, downKbps: null, upKbps: null, lossPercent: 0 };
  assert.equal(conditionText(none), 'no added delay');
  assert.equal(
    conditionText({ rttMs: 30, downKbps: 9000, upKbps: 3000, lossPercent: 1 }),
    '30 ms round-trip time added, 9000 kbit/s down, 3000 kbit/s up, 1 % loss',
  );
});

test('a condition knows its backend as soon as one of its loads does', () => {
  const { run, pageLoads } = fixtureRun();
  const [condition] = conditionsOf(summarise(run, pageLoads.slice(2, 3)).rows);
  assert.equal(condition?.condition.backend, 'loopback');
  assert.equal(condition.rows.length, 6);
});
