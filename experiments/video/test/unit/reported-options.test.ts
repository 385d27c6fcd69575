import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceLines } from '../../../../ground/options/common.ts';
import { assertOptionsReported, runOf } from '../../../../test/unit/runner/reported-options.ts';
import { video } from '../../experiment.ts';
import { PLAYERS } from '../../players/index.ts';

const [, another] = PLAYERS;

const BASE = { seed: '1', repetitions: '20' };

test('reports the values of its options', () => {
  assertOptionsReported(video, {
    base: BASE,
    further: {
      videos: 'one,another',
      ...(another && { player: another.word }),
      duration: '9',
      buffer: '4',
      abr: 'off',
      bitrate: '900',
      'net-log': '',
    },
  });
});

test('reports how long a video is watched, and no options of pages', () => {
  const lines = new Map(choiceLines(runOf({ ...BASE, duration: '9' }, video), video));
  assert.equal(lines.get('Watched for'), '9 s');
  assert.equal(lines.get('Network conditions'), 'dsl');
  assert.deepEqual(
    [...lines.keys()].filter((name) => /Time limit|Visits|All flows/.test(name)),
    [],
  );
});
