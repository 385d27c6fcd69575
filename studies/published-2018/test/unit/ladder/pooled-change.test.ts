import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseOf } from '../../../../../test/unit/statistics/noise.ts';
import { pooledChange } from '../../../ladder/pooled-change.ts';

test('pools sites by the geometric mean of their changes, and takes one site alone', () => {
  const changes = [0.5, 2, 4].map((estimate) => ({ estimate, low: null, high: null }));
  const pooled = pooledChange(changes);
  assert.ok(Math.abs((pooled?.estimate ?? 0) - 4 ** (1 / 3)) < 1e-9);
  // Mean and standard error of ln 0.5, ln 2, ln 4 with t of 2 degrees of freedom, 4.302653.
  const error = (Math.LN2 * Math.sqrt(7 / 3)) / Math.sqrt(3);
  assert.ok(Math.abs((pooled?.high ?? 0) - 4 ** (1 / 3) * Math.exp(4.30265273 * error)) < 1e-5);
  const [own] = changes;
  assert.ok(own);
  assert.deepEqual(pooledChange([own]), own);
  assert.equal(pooledChange([]), null);
});

// The truth is 1. The seeds are fixed; chance alone moves a share of 1,000 samples by 0.7 points (one standard error).
const SAMPLES = 1000;
const LEAST = 0.93;
const MOST = 0.98;

test('holds the truth in the interval over sites, whether sites change alike or differently', (t) => {
  for (const [subjects, between] of [
    [2, 0],
    [4, 0.2],
    [12, 0],
    [12, 0.2],
  ] as const) {
    const noise = noiseOf(subjects);
    let held = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const interval = pooledChange(
        Array.from({ length: subjects }, () => {
          const estimate = Math.exp(between * noise.normal() + 0.1 * noise.normal());
          return { estimate, low: null, high: null };
        }),
      );
      assert.ok(interval?.low && interval.high);
      if (interval.low <= 1 && interval.high >= 1) held++;
    }
    const share = held / SAMPLES;
    t.diagnostic(`${subjects} sites: ${(100 * share).toFixed(1)} %`);
    assert.ok(share >= LEAST && share <= MOST, `${subjects} sites: ${share}`);
  }
});
