import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LayerBytes } from '../../../../ground/records/packets.ts';
import { LAYER_NAMES } from '../../../../ground/records/packets.ts';
import {
  LAYER_STYLE,
  type LayerBar,
  layerChart,
  layerLegend,
} from '../../../../kit/charts/layer-chart.ts';
import { HOSTILE, numbersOf, STACKS } from './marks.ts';

const bytesOf = (of: Partial<LayerBytes>): LayerBytes =>
  ({ ...Object.fromEntries(LAYER_NAMES.map((layer) => [layer, 0])), ...of }) as LayerBytes;

const BARS: LayerBar[] = STACKS.flatMap(({ arm, place }) => [
  { arm, phase: 'before' as const, bytes: bytesOf({ handshake: 1000 * (place + 1) }) },
  { arm, phase: 'after' as const, bytes: bytesOf({ quic: 500, http: 500, payload: 90_000 }) },
]);

test('draws a piece for each existing layer, as wide as its bytes, and none for bodies', () => {
  const widths = numbersOf(layerChart(BARS, STACKS, 'A chart').text, 'rect', 'width');
  assert.equal(widths.length, 6);
  const [one = 0, ...rest] = widths.toSorted((a, b) => a - b);
  for (const [index, share] of [1, 1, 1, 2, 4].entries())
    assert.ok(Math.abs((rest[index] ?? 0) / one - share) < 0.05, `${widths}`);
});

test('gives each bar its sum, and each layer its colour', () => {
  const svg = layerChart(BARS, STACKS, 'A chart').text;
  for (const text of ['1.0 kB', '2.0 kB']) assert.ok(svg.includes(`>${text}<`), text);
  for (const layer of LAYER_NAMES.filter((each) => each !== 'payload'))
    assert.ok(LAYER_STYLE.includes(`--layer-${layer}:#`), layer);
  const legend = layerLegend(BARS).map(({ text }) => text.replaceAll(/<[^>]*>/g, ''));
  assert.deepEqual(legend, ['quic', 'handshake', 'http']);
});

test('draws unread bytes distinct from the overhead', () => {
  const bars = BARS.map((bar) => ({ ...bar, bytes: { ...bar.bytes, unread: 300_000 } }));
  const svg = layerChart(bars, STACKS, 'A chart').text;
  for (const text of ['1.0 kB + 300.0 kB not read', '2.0 kB + 300.0 kB not read'])
    assert.ok(svg.includes(`>${text}<`), text);
});

test('renders markup in names as text, also in tooltips', () => {
  const stacks = STACKS.map((stack) => ({ ...stack, label: HOSTILE }));
  const svg = layerChart(BARS, stacks, HOSTILE).text;
  assert.doesNotMatch(svg, /<script|<img|<\/title><script/);
});
