import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../../../ground/records/observation.ts';
import { count, countMeasured, emptyTally, statusOf } from '../../../../runner/campaign/tally.ts';

function tallyOf(...attempts: readonly [Outcome, warmup?: boolean][]) {
  const tally = emptyTally();
  for (const [outcome, warmup = false] of attempts) count(tally, { outcome, warmup });
  return tally;
}

test('an attempt that failed or was invalid decides the status, a warm-up too', () => {
  assert.equal(statusOf(tallyOf(['ok'], ['ok', true], ['unsupported'])), 0);
  for (const outcome of ['failed', 'invalid'] as const) {
    for (const warmup of [false, true]) {
      assert.equal(statusOf(tallyOf(['ok'], [outcome, warmup])), 6, `${outcome} ${warmup}`);
    }
  }
});

test('warm-ups are none of the attempts that were to be measured', () => {
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
