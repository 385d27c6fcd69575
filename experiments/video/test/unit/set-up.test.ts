import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { purposes } from '../../../../setup/purposes.ts';
import { PLAYERS, playerLabel, playerNamed, programOf } from '../../players/index.ts';

test('installs ffmpeg and every player for videos', () => {
  assert.deepEqual(
    purposes(['video']).map(({ title }) => title),
    [
      'looking for ffmpeg, which generates a video',
      ...PLAYERS.map(({ label }) => `fetching ${label}`),
    ],
  );
});

test("pins the packages of each player's program in its folder", () => {
  for (const player of PLAYERS) {
    const { folder, file } = programOf(player);
    assert.equal(playerNamed(player.name), player);
    assert.ok(existsSync(path.join(projectFolder, folder, 'package-lock.json')), folder);
    assert.ok(file.endsWith('.js'));
  }
  assert.equal(playerNamed('nonsense'), undefined);
  assert.equal(playerLabel('nonsense'), 'nonsense');
});
