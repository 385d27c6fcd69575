import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import { video } from '../../experiment.ts';

test('reports before the run how long sessions take, which play in real time', () => {
  const { run } = fixtureRun({ repetitions: 20 });
  const warmups = run.trials.filter(({ warmup }) => warmup).length;
  const videos = { watchedMs: 20_000, bufferMs: null, adapts: true, bitrateKbps: null };
  const [notice] =
    video.planning?.notices?.({ ...run, choices: { ...run.choices, videos } }, run.trials.length) ??
    [];
  assert.match(
    notice ?? '',
    new RegExp(
      `^The run has ${run.trials.length} sessions of 20 s \\(${warmups} are warm-ups\\), .* in real time: about \\d+`,
    ),
  );
});
