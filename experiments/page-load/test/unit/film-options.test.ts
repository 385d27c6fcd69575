import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../../runner/options.ts';

const filmedLoads = (...words: string[]) => readOptions(words).choices.filmedLoads;

test('--film films three loads, or as many as it says; without it, none', () => {
  assert.equal(filmedLoads(), undefined);
  assert.equal(filmedLoads('--film'), 3);
  assert.equal(filmedLoads('--film', '5'), 5);
  for (const wrong of ['0', '21', 'many']) {
    assert.throws(() => filmedLoads('--film', wrong), /--film.*from 1 to 20/);
  }
});

test('--film goes neither with live pages nor with an event of the path', () => {
  assert.throws(
    () => filmedLoads('--live', 'https://www.example.org', '--film'),
    /--film.*--live|--live.*--film/,
  );
  assert.throws(() => filmedLoads('--film', '--event', 'rebind@500ms'), /--film and --event/);
});
