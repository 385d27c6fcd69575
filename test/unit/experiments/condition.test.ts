import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  conditionPhrase,
  conditionText,
  configuredLossPercent,
} from '../../../experiments/condition.ts';
import { conditionsOf } from '../../../report/summary/rows.ts';
import { summarise } from '../../../report/summary/summary.ts';
import { assertEach } from '../assert-each.ts';
import { DELAYED, fixtureRun, NONE } from '../report/fixture-run.ts';

const TRACE = { name: 'lte.down', sha256: 'a'.repeat(64), meanKbps: 5999.6, durationMs: 30_000 };
const BURSTS = { enterPercent: 0.4, leavePercent: 33 };

test('describes a network condition by its numbers', () => {
  assert.equal(conditionText(NONE), 'no added delay');
  assert.equal(conditionText(NONE, 'cold'), 'no added delay');
  assert.equal(conditionText(NONE, 'repeat'), 'no added delay, repeat visit with a filled cache');
  assert.equal(
    conditionText({ ...DELAYED, downKbps: 9000, upKbps: 3000, lossPercent: 1 }),
    '30 ms round-trip time added, 9,000 kbit/s down, 3,000 kbit/s up, 1 % loss each way',
  );
  assert.equal(
    conditionText({ ...DELAYED, downKbps: 9000, queueBdp: 0.5 }),
    '30 ms round-trip time added, 9,000 kbit/s down, a queue of 0.5 × the bandwidth-delay product',
  );
  assert.equal(
    conditionText({ ...DELAYED, trace: TRACE, upKbps: 3000 }),
    '30 ms round-trip time added, 3,000 kbit/s up, the recorded link lte.down (6,000 kbit/s on average) down',
  );
  assert.equal(
    conditionText({ ...DELAYED, jitterMs: 2, burstLoss: BURSTS }),
    '30 ms round-trip time added, ± 2 ms jitter each way, packets overtake each other, 1.2 % lost each way in bursts of 3 packets on average',
  );
  assert.equal(
    conditionText({ ...DELAYED, event: { kind: 'cut', atMs: 5000, lastsMs: 3000 } }),
    '30 ms round-trip time added, a cut of 3,000 ms after 5,000 ms',
  );
});

test('applies loss by chance only to what bursts leave', () => {
  assert.equal(configuredLossPercent({ ...NONE, lossPercent: 1 }), 1);
  const bursts = { enterPercent: 10, leavePercent: 30 };
  assert.equal(configuredLossPercent({ ...NONE, burstLoss: bursts }), 25);
  assert.equal(configuredLossPercent({ ...NONE, burstLoss: bursts, lossPercent: 4 }), 28);
});

test('keeps the conditions in the order of the plan', () => {
  const { run, observations } = fixtureRun({ networks: [DELAYED, NONE] });
  const conditions = conditionsOf(summarise(run, observations.slice(0, 3)).rows);
  assertEach(conditions, ({ condition, rows }) => [condition, rows.length], [
    [DELAYED, 6],
    [NONE, 6],
  ]);
});

test('begins a sentence with a condition, and its visit unless it is a first one', () => {
  assert.equal(conditionPhrase(NONE, 'cold'), 'With no added delay');
  assert.equal(conditionPhrase(DELAYED, 'cold'), 'With 30 ms round-trip time added');
  assert.equal(conditionPhrase(DELAYED, 'resumed'), 'On a resumed visit with 30 ms added');
  assert.equal(
    conditionPhrase({ ...DELAYED, lossPercent: 1 }, 'repeat'),
    'On a repeat visit with 30 ms added, 1 % loss each way',
  );
});
