import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import { blocksOf } from '../../../../report/summary/blocks.ts';
import { pairedLogRatios } from '../../../../report/summary/compare.ts';
import { differencesOf, testedPairs, valuesOf } from '../../../../report/summary/paired-values.ts';
import { fixtureRun, ONE_SITE, spoil } from '../fixture-run.ts';

const METRIC = metricNamed(pageLoad, 'pageLoadMs');
const FAILED = Number.POSITIVE_INFINITY;

/**
 * Pairs of lsquic and Bun in this number of blocks, in which lsquic takes 100 ms and Bun 200 ms.
 */
function pairsOf(change: (load: PageLoad) => void, repetitions = 3) {
  const { run, observations } = fixtureRun({
    ...ONE_SITE,
    repetitions,
    change: (load) => {
      load.metrics.pageLoadMs = load.arm === 'lsquic-h3' ? 100 : 200;
      if (!load.warmup) change(load);
    },
  });
  const blocks = [...blocksOf(run, observations).values()].flat();
  return {
    blocks,
    pairs: testedPairs(blocks, METRIC, 'lsquic-h3', 'bun-h2'),
    values: testedPairs(blocks, METRIC, 'lsquic-h3', 'bun-h2').map((pair) => pair.values),
  };
}

const is = (load: PageLoad, arm: string, repetition: number) =>
  load.arm === arm && load.repetition === repetition;

test('ranks a load that failed by its server or page slower than everything, and keeps its pair', () => {
  const { values } = pairsOf((load) => {
    if (is(load, 'lsquic-h3', 1)) spoil(load, 'failed', 'timeout', 'late');
    if (is(load, 'bun-h2', 2)) spoil(load, 'failed', 'server-failed', 'gone');
  });
  assert.deepEqual(values, [
    [FAILED, 200],
    [100, FAILED],
    [100, 200],
  ]);
});

test('drops the pair of a broken or invalid load, and no pair of a third stack', () => {
  const { values } = pairsOf((load) => {
    if (is(load, 'lsquic-h3', 1)) spoil(load, 'failed', 'browser-failed', 'crashed');
    if (is(load, 'bun-h2', 2)) spoil(load, 'invalid', 'wrong-protocol', 'h1');
    if (is(load, 'flask-h1', 3)) spoil(load, 'failed', 'browser-failed', 'crashed');
  });
  assert.deepEqual(values, [[100, 200]]);
});

test('drops a pair with a missing or zero time', () => {
  const { values } = pairsOf((load) => {
    if (is(load, 'lsquic-h3', 1)) load.metrics.pageLoadMs = null;
    if (is(load, 'bun-h2', 2)) load.metrics.pageLoadMs = 0;
  });
  assert.deepEqual(values, [[100, 200]]);
});

test('marks pairs from the same two browsers: both from one invocation', () => {
  const { pairs } = pairsOf((load) => {
    const { repetition } = load;
    if (load.client && repetition >= 3 && load.arm === 'lsquic-h3') load.client.id = 'other';
    if (repetition === 4) load.invocation = 'another';
  }, 4);
  const [first, second, third, fourth] = pairs.map(({ browsers }) => browsers);
  assert.equal(first, second);
  assert.equal(new Set([first, third, fourth]).size, 3);
});

test('shares no browser with a load whose browser is unknown', () => {
  const { pairs } = pairsOf((load) => {
    load.client = null;
  });
  assert.equal(new Set(pairs.map(({ browsers }) => browsers)).size, 3);
});

test('counts two failures as a tie', () => {
  assert.deepEqual(
    differencesOf([
      [FAILED, FAILED],
      [FAILED, 1],
      [1, FAILED],
      [3, 1],
    ]),
    [0, FAILED, -FAILED, 2],
  );
});

test('takes ratios only from pairs without a failure', () => {
  const { blocks } = pairsOf((load) => {
    if (is(load, 'lsquic-h3', 1)) spoil(load, 'failed', 'timeout', 'late');
  });
  const ratios = pairedLogRatios(blocks, METRIC, 'lsquic-h3', 'bun-h2');
  assert.deepEqual(
    ratios.map((ratio) => ratio.toFixed(6)),
    Array(2).fill(Math.log(0.5).toFixed(6)),
  );
});

test('counts a failure only in a metric of failures, and never a broken or invalid load', () => {
  const { blocks } = pairsOf((load) => {
    load.metrics.requests = 7;
    if (is(load, 'lsquic-h3', 1)) spoil(load, 'failed', 'timeout', 'Not in time.');
    if (is(load, 'lsquic-h3', 2)) spoil(load, 'invalid', 'wrong-protocol', 'Not HTTP/3.');
  });
  assert.deepEqual(new Set(valuesOf(blocks, METRIC, 'lsquic-h3')), new Set([100, FAILED]));
  assert.equal(valuesOf(blocks, METRIC, 'lsquic-h3').length, 2);
  assert.deepEqual(valuesOf(blocks, metricNamed(pageLoad, 'requests'), 'lsquic-h3'), [7]);
  assert.deepEqual(valuesOf(blocks, METRIC, 'bun-h2'), [200, 200, 200]);
});
