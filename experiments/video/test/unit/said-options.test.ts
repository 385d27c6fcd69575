import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenBefore } from '../../../../ground/options/common.ts';
import { assertOptionsSaid, runOf } from '../../../../test/unit/runner/said-options.ts';
import { video } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('the report says of its options what was chosen', () => {
  assertOptionsSaid(video, {
    base: BASE,
    others: {
      videos: 'one,another',
      player: 'shaka',
      duration: '9',
      buffer: '4',
      abr: 'off',
      bitrate: '900',
      'net-log': '',
    },
  });
});

test('it is said how long a video is watched, and not what only pages have', () => {
  const lines = new Map(chosenBefore(runOf({ ...BASE, duration: '9' }, video), video));
  assert.equal(lines.get('Watched for'), '9 s');
  assert.equal(lines.get('Network conditions'), 'dsl');
  assert.deepEqual(
    [...lines.keys()].filter((name) => /Time limit|Visits|All flows/.test(name)),
    [],
  );
});
