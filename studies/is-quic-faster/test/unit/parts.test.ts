import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { NAMED_CONDITIONS } from '../../../../network/conditions.ts';
import { presetOfRun } from '../../../../report/series.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { findSeries } from '../../../../runner/series.ts';
import { FEWER_PAGES, PAGES, PARTS, SERIES } from '../../parts.ts';
import { isQuicFaster } from '../../study.ts';

const NAMES = PARTS.map(({ name }) => name);

const presetOfPart = (part: { name: string }) => presetOfRun({ name: SERIES }, part);

test('every part is a run whose plan needs no random choice', () => {
  assert.equal(new Set(NAMES).size, NAMES.length);
  for (const part of PARTS) {
    const options = optionsOf(
      { given: { preset: presetOfPart(part) } },
      pageLoad,
      isQuicFaster.presets,
    );
    assert.equal(String(options.seed), part.options.seed);
    assert.equal(String(options.repetitions), part.options.repetitions);
    assert.deepEqual(options.subjects, part.name === 'main' ? PAGES : FEWER_PAGES);
  }
  assert.equal(new Set(PARTS.map(({ options: { seed } }) => seed)).size, PARTS.length);
});

test('two parts together have the properties of the lossy wireless network', () => {
  const [bursts, overtaking] = ['bursts', 'overtaking'].map((name) => {
    const given = { preset: presetOfPart({ name }) };
    const [network] = optionsOf({ given }, pageLoad, isQuicFaster.presets).networks;
    assert.ok(network);
    return network;
  });
  const named = NAMED_CONDITIONS.find(({ name }) => name === 'lossy-wireless');
  assert.ok(named && bursts && overtaking);
  const { source: _, name, jitterMs, burstLoss, ...rest } = named;
  assert.deepEqual(bursts, { ...rest, name: bursts.name, jitterMs: 0, burstLoss });
  assert.deepEqual(overtaking, { ...rest, name: overtaking.name, jitterMs, burstLoss: null });
});

test('a change of the plans is rejected', () => {
  const { series } = isQuicFaster;
  assert.ok(series);
  assert.throws(() => findSeries(series, { preset: 'is-quic-faster', rtt: '10' }), {
    name: 'UsageError',
    message: /--rtt: .* --sites, --repetitions/,
  });
});
