import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../../../ground/records/observation.ts';
import { count, countMeasured, emptyTally, statusOf } from '../../../../runner/campaign/tally.ts';

function tallyOf(...attempts: readonly [Outcome, warmup?: boolean][]) {
  const tally = emptyTally();
  for (const [outcome, warmup = false] of attempts) count(tally, { outcome, warmup });
  return tally;
}

test('decides the status by a failed or invalid attempt, including a warm-up', () => {
  assert.equal(statusOf(tallyOf(['ok'], ['ok', true], ['unsupported'])), 0);
  for (const outcome of ['failed', 'invalid'] as const) {
    for (const warmup of [false, true]) {
      assert.equal(statusOf(tallyOf(['ok'], [outcome, warmup])), 6, `${outcome} ${warmup}`);
    }
  }
});

test('does not count warm-ups among the measured attempts', () => {
  assert.equal(
    countMeasured(tallyOf(['ok'], ['failed'], ['invalid'], ['failed', true], ['ok', true])),
    3,
  );
});

test('a filmed load that has no film decides nothing', () => {
  const tally = tallyOf(['ok']);
  count(tally, { outcome: 'invalid', warmup: true, filmed: true });
  assert.deepEqual(tally, tallyOf(['ok']));
});
