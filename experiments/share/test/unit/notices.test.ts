import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import { share } from '../../experiment.ts';

test('flows that have no time to become fair are reported before the run', () => {
  const { run } = fixtureRun({ repetitions: 1 });
  const noticesOf = (durationMs: number) =>
    share.planning?.notices?.(
      { ...run, choices: { ...run.choices, flows: { mixes: [], durationMs, startGapMs: 0 } } },
      6,
    );
  assert.match(noticesOf(7_500)?.join() ?? '', /^--duration 7.5 is too short .* 8 or more/);
  assert.deepEqual(noticesOf(8_000), []);
});
