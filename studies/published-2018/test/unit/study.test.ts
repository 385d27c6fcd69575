import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { type Presets, presetNamed } from '../../../../ground/options/preset.ts';
import { findSeries } from '../../../../runner/series.ts';
import { published2018 } from '../../study.ts';

const { presets, series } = published2018;

test('makes each step of the ladder a preset of one run; the ladder itself has no run', () => {
  const optionsOf = (name: string) =>
    presetNamed(name, presets satisfies Presets, pageLoad, [pageLoad]).options;
  assert.equal(optionsOf('published')?.stacks, 'lsquic-h3,flask-dev');
  assert.equal(optionsOf('ladder/tls-1.3')?.tls, '1.3');
  assert.equal(optionsOf('ladder'), null);
});

test('rejects several delays before anything is measured: a step is one number', () => {
  assert.ok(series);
  assert.throws(() => findSeries(series, { preset: 'ladder', rtt: '0,30' }), {
    name: 'UsageError',
    message: /one round-trip time/,
  });
  assert.throws(() => findSeries(series, { preset: 'ladder', tls: '1.2' }), {
    name: 'UsageError',
    message: /--tls: .* --sites, --repetitions, --rtt, --seed, --timeout, --out\./,
  });
});
