import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTripsChart, windowsChart } from '../../../../packets/windows/captured.ts';
import type { LoadWindows } from '../../../../packets/windows/load-windows.ts';
import { HOSTILE, STACKS } from '../../kit/charts/marks.ts';

const [QUIC, TCP] = STACKS as [(typeof STACKS)[0], (typeof STACKS)[0]];

function load(arm: typeof QUIC, source: LoadWindows['source'], connections = 1): LoadWindows {
  const cwndBytes = source === 'kernel' ? 46_000 : null;
  const points = [0, 100, 200].map((atMs) => ({ atMs, cwndBytes, inFlightBytes: 9000, rttMs: 30 }));
  return {
    arm,
    source,
    connections: Array.from({ length: connections }, (_, place) => ({ name: `${place}`, points })),
  };
}

const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text);

test('shows a window for TCP alone, and names estimates from packets as such', () => {
  const svg = windowsChart([load(QUIC, 'packets'), load(TCP, 'kernel')], 'Windows').text;
  const labels = textsOf(svg).filter((text) => text?.includes(': '));
  assert.deepEqual(labels.sort(), [
    'A (h3): bytes in flight, estimated from packets',
    'B (h2): bytes in flight, TCP_INFO',
    'B (h2): congestion window, TCP_INFO',
  ]);
  assert.match(svg, /aria-label="Windows"/);
  assert.ok(textsOf(svg).includes('40.0 kB'));
});

test('draws a line of round trips for each connection, and one label for their stack', () => {
  const svg = roundTripsChart([load(QUIC, 'packets', 3)], 'Round trips').text;
  assert.equal(svg.match(/stroke-width="1.6"/g)?.length, 3);
  const labels = textsOf(svg).filter((text) => text?.includes(': '));
  assert.deepEqual(labels, ['A (h3): round trip, estimated from packets']);
});

test('does not fail without data, and renders hostile names as text', () => {
  for (const chart of [windowsChart, roundTripsChart]) {
    assert.doesNotMatch(chart([], 'Empty').text, /NaN|Infinity/);
    const hostile = { ...load(QUIC, 'packets'), arm: { ...QUIC, label: HOSTILE } };
    const svg = chart([hostile, { ...hostile, connections: [] }], HOSTILE).text;
    assert.doesNotMatch(svg, /NaN|Infinity|<script|<img|style=/);
  }
});
