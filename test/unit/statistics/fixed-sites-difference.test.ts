import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FixedSites,
  fixedSites,
  fixedSitesInterval,
} from '../../../statistics/fixed-sites.ts';
import { fixedSitesDifference } from '../../../statistics/fixed-sites-difference.ts';
import { type Noise, noiseOf } from './noise.ts';

const FIRST: FixedSites = { estimate: 0.1, errors: { below: 3, above: 4 }, degreesOfFreedom: 8 };
const SECOND: FixedSites = { estimate: 0.4, errors: { below: 3, above: 12 }, degreesOfFreedom: 5 };

test('has in each limit the error of the sample that moves it to that side', () => {
  const { estimate, errors } = fixedSitesDifference(FIRST, SECOND);
  assert.ok(Math.abs(estimate - 0.3) < 1e-12);
  assert.deepEqual(errors, { below: 5, above: Math.hypot(12, 3) });
});

test("has Welch's degrees of freedom: for two alike their sum, for one without noise the other’s", () => {
  assert.equal(fixedSitesDifference(FIRST, FIRST).degreesOfFreedom, 16);
  const still = { ...FIRST, errors: { below: 0, above: 0 } };
  assert.equal(fixedSitesDifference(still, SECOND).degreesOfFreedom, 5);
  assert.equal(fixedSitesDifference(still, still).degreesOfFreedom, 8);
});

test('has no limit on a side without one, and no errors with too few pairs in one sample', () => {
  const open = { ...SECOND, errors: { below: 1, above: Number.POSITIVE_INFINITY } };
  const found = fixedSitesDifference(FIRST, open);
  assert.equal(fixedSitesInterval(found, 0.05)?.high, Number.POSITIVE_INFINITY);
  assert.ok(Number.isFinite(fixedSitesInterval(found, 0.05)?.low));
  assert.equal(fixedSitesDifference(FIRST, { ...SECOND, errors: null }).errors, null);
});

test('has no interval if one sample has no finite mean', () => {
  const failing = { ...SECOND, estimate: Number.POSITIVE_INFINITY };
  assert.equal(fixedSitesInterval(fixedSitesDifference(FIRST, failing), 0.05), null);
  assert.equal(fixedSitesInterval(fixedSitesDifference(failing, failing), 0.05), null);
});

// The seeds are fixed, so that runs do not differ; chance alone moves a share of this many samples
// by 0.7 points.
const SAMPLES = 1000;

test('holds the true difference as often as the level requires or more', (t) => {
  const sampleOf = (noise: Noise, sites: number, n: number, mean: number) =>
    fixedSites(
      Array.from({ length: sites }, (_, site) =>
        Array.from({ length: n }, () => {
          const late =
            noise.uniform() < 0.1 ? 0.3 * (noise.exponential() - noise.exponential()) : 0;
          return [mean + 0.05 * site + 0.1 * noise.normal() + late];
        }),
      ),
    );
  for (const [sites, first, second] of [
    [1, 8, 8],
    [1, 8, 30],
    [3, 8, 12],
    [6, 20, 20],
  ] as const) {
    const noise = noiseOf(100 * first + second + sites);
    const held = new Map([
      [0.05, 0],
      [0.0125, 0],
    ]);
    for (let sample = 0; sample < SAMPLES; sample++) {
      const before = sampleOf(noise, sites, first, 0);
      const after = sampleOf(noise, sites, second, 0.2);
      assert.ok(before && after);
      const difference = fixedSitesDifference(before, after);
      for (const [level, count] of held) {
        const interval = fixedSitesInterval(difference, level);
        assert.ok(interval);
        if (interval.low <= 0.2 && interval.high >= 0.2) held.set(level, count + 1);
      }
    }
    for (const [level, count] of held) {
      const share = count / SAMPLES;
      const what = `${sites} sites, ${first} and ${second} pairs, level ${level}: ${(100 * share).toFixed(1)} %`;
      t.diagnostic(what);
      assert.ok(share >= 1 - level - 0.02, what);
    }
  }
});
