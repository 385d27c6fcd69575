import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { Block } from '../../../../report/summary/blocks.ts';
import { pairedDifferences } from '../../../../report/summary/paired-differences.ts';

const METRIC = metricNamed(pageLoad, 'pageLoadMs');

/** A block with a time for each of these arms. */
function block(timesMs: Readonly<Record<string, number | null>>): Block {
  const loads = Object.entries(timesMs).map(
    ([arm, pageLoadMs]) =>
      [arm, { arm, metrics: { pageLoadMs } } as unknown as Observation] as const,
  );
  return { loads: new Map(loads) } as unknown as Block;
}

test('subtracts the arm from its baseline, pair by pair, so that above 0 is sooner', () => {
  const found = pairedDifferences(
    [
      block({ quic: 40, tls: 50 }),
      block({ quic: 40, tls: 61 }),
      block({ quic: 40, tls: 40 }),
      block({ quic: 45, tls: 40 }),
    ],
    METRIC,
    'quic',
    'tls',
  );
  assert.deepEqual(found, {
    nPairs: 4,
    median: 5,
    soonerPercent: 50,
    soonerBy: [
      { atLeast: 10, percent: 50 },
      { atLeast: 20, percent: 25 },
    ],
    differences: [-5, 0, 10, 21],
  });
});

test('drops blocks in which one of the two is missing or has no time', () => {
  const blocks = [block({ quic: 40 }), block({ quic: 40, tls: null }), block({ tls: 50 })];
  assert.deepEqual(pairedDifferences(blocks, METRIC, 'quic', 'tls', [5]), {
    nPairs: 0,
    median: null,
    soonerPercent: null,
    soonerBy: [{ atLeast: 5, percent: null }],
    differences: [],
  });
});
