import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandedTail } from '../../../statistics/expanded-percentile.ts';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { hodgesLehmannBootstrap } from '../../../statistics/hodges-lehmann-bootstrap.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { seededPick } from '../../../statistics/random.ts';
import { noiseOf } from './noise.ts';

const RESAMPLES = 400;

test('equals resampling values and estimating each time', () => {
  const noise = noiseOf(9);
  for (const n of [7, 8, 15, 24]) {
    // Rounded, so that there are ties.
    const values = Array.from({ length: n }, () => Math.round(4 * noise.normal()) / 4);
    const pick = seededPick(n);
    const estimates = Array.from({ length: RESAMPLES }, () =>
      hodgesLehmann(values.map(() => values[pick(n)] as number)),
    ) as number[];
    assert.deepEqual(hodgesLehmannBootstrap(values, { seed: n, resamples: RESAMPLES }), {
      low: quantile(estimates, expandedTail(n)),
      high: quantile(estimates, 1 - expandedTail(n)),
    });
  }
});

test('accepts unsorted values and does not change them', () => {
  const values = [5, 1, 4, 2, 3, 9, 0];
  hodgesLehmannBootstrap(values, { seed: 1, resamples: 100 });
  assert.deepEqual(values, [5, 1, 4, 2, 3, 9, 0]);
});

test('has no interval below seven values', () => {
  assert.equal(hodgesLehmannBootstrap([1, 2, 3, 4, 5, 6], { seed: 1 }), null);
  assert.notEqual(hodgesLehmannBootstrap([1, 2, 3, 4, 5, 6, 7], { seed: 1 }), null);
});
