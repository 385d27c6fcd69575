import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetNamed } from '../../../../options/preset.ts';
import { published2018 } from '../../../../studies/published-2018/study.ts';

const { presets, series } = published2018;

test('each step of the ladder is the preset of one run; the ladder itself is that of none', () => {
  assert.deepEqual(presetNamed('published', presets).stacks, ['lsquic-h3', 'flask-dev']);
  assert.equal(presetNamed('ladder/tls-1.3', presets).tls, '1.3');
  assert.throws(() => presetNamed('ladder', presets), /expected one of published, ladder, ladder/);
});

test('a command line asks for the ladder by its name alone', async () => {
  const asked = (preset: string) =>
    series.askedBy({ given: { preset }, words: ['--preset', preset] });
  assert.ok(await asked('ladder'));
  assert.equal(await asked('published'), null);
  assert.equal(await asked('ladder/tls-1.3'), null);
});
