import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../../../ground/system/errors.ts';
import { EXIT } from '../../../../ground/system/exit-status.ts';
import { calibrateUntilRight } from '../../../../network/calibration/until-right.ts';
import { conditionOf } from './example.ts';
import { fakePath } from './fake-path.ts';

const CONDITION = conditionOf({ rttMs: 30 });
const RIGHT = '30.1,30.2,30.3,30.3';
const LATE = '30.1,30.2,34,60';
const WRONG = '31.1,31.2,31.3,31.3';
const WRONG_AND_LATE = '31.1,31.2,34,60';

/** Measurements on a path of such probes, and the messages of the run. */
async function measured(modes: [string, ...string[]], patienceMs = 20_000) {
  const seen: { lates: boolean[]; messages: string[]; error: unknown; late: unknown } = {
    lates: [],
    messages: [],
    error: null,
    late: undefined,
  };
  try {
    const calibration = await calibrateUntilRight(fakePath(...modes), CONDITION, 'python', {
      onMeasured: ({ late }) => {
        seen.lates.push(late !== null);
      },
      onLate: (why) => seen.messages.push(why),
      patienceMs,
    });
    seen.late = calibration.late;
  } catch (error) {
    seen.error = error;
  }
  return seen;
}

test('measures a correct path once', async () => {
  const { lates, messages, late } = await measured([RIGHT]);
  assert.deepEqual([lates, messages, late], [[false], [], null]);
});

test('waits for a late machine, and reports it once', async () => {
  const { lates, messages, late } = await measured([LATE, LATE, RIGHT]);
  assert.deepEqual([lates, late], [[true, true, false], null]);
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? '', /^The path was late when it was measured: /);
});

test('limits the wait for a machine that stays late, and accepts the path', async () => {
  // Long enough for a second measurement on a busy machine too.
  const { lates, messages, late, error } = await measured([LATE], 4000);
  assert.equal(error, null);
  assert.ok(lates.length > 1 && lates.every(Boolean), `${lates.length} measurements`);
  assert.equal(messages.length, 1);
  assert.match(String(late), /^The path was late when it was measured: /);
});

test('does not wait if one measurement would take too long', async () => {
  const { lates, messages, late } = await measured([LATE], 0);
  assert.deepEqual([lates, messages], [[true], []]);
  assert.ok(late);
});

for (const [what, probes, late] of [
  ['wrong', WRONG, false],
  ['wrong and late', WRONG_AND_LATE, true],
] as const) {
  test(`rejects a path that is ${what} after three measurements`, async () => {
    const { lates, messages, error } = await measured([probes]);
    assert.ok(error instanceof NetworkError);
    assert.equal(error.exitStatus, EXIT.network);
    assert.match(error.message, /31\.1 ms instead of 30 ms/);
    assert.deepEqual([lates, messages], [[late, late, late], []]);
  });
}

test('accepts a path that was wrong twice and is then correct', async () => {
  const { lates, error } = await measured([WRONG, WRONG_AND_LATE, RIGHT]);
  assert.equal(error, null);
  assert.deepEqual(lates, [false, true, false]);
});
