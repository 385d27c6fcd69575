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

test('mixes without a comparison are reported before the run', () => {
  const { run } = fixtureRun({ repetitions: 1 });
  const [{ stack: other = '' } = {}] = run.arms.filter(
    ({ stack }) => stack !== run.analysis.baseline,
  );
  const noticesOf = (...stacks: string[]) => {
    const flows = stacks.map((stack) => ({ stack, flows: 1 }));
    const mixes = [{ subject: 'a-mix', flows }];
    const choices = { ...run.choices, flows: { mixes, durationMs: 8_000, startGapMs: 0 } };
    return share.planning?.notices?.({ ...run, choices }, 6)?.join();
  };
  assert.match(noticesOf(other, 'mine-h2') ?? '', new RegExp(`^a-mix: .*--baseline ${other}`));
  assert.equal(noticesOf(other, run.analysis.baseline), '');
  assert.equal(noticesOf(other), '');
});
