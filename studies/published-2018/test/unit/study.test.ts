import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { type Presets, presetNamed } from '../../../../ground/options/preset.ts';
import { published2018 } from '../../study.ts';

const { presets, series } = published2018;

test('each step of the ladder is the preset of one run; the ladder itself is that of none', () => {
  const optionsOf = (name: string) =>
    presetNamed(name, presets satisfies Presets, pageLoad, [pageLoad]).options;
  assert.equal(optionsOf('published')?.stacks, 'lsquic-h3,flask-dev');
  assert.equal(optionsOf('ladder/tls-1.3')?.tls, '1.3');
  assert.equal(optionsOf('ladder'), null);
});

test('a command line asks for the ladder by its name alone', async () => {
  const asked = (preset: string) =>
    series.askedBy({ command: 'benchmark', given: { preset }, words: ['--preset', preset] });
  assert.ok(await asked('ladder'));
  assert.equal(await asked('published'), null);
  assert.equal(await asked('ladder/tls-1.3'), null);
});
