import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesLikeThese } from '../../../../report/summary/primary.ts';
import { noiseOf } from '../../statistics/noise.ts';

/** This number of pairs per site, around its own log ratio. */
function sitesOf(effects: readonly number[], spread = 0.02, pairs = 12): number[][] {
  const { normal } = noiseOf(5);
  return effects.map((effect) => Array.from({ length: pairs }, () => effect + spread * normal()));
}

const EFFECTS = [-0.3, -0.2, -0.1, 0, 0.1, 0.2];

test('does not generalize from fewer than 5 sites with pairs', () => {
  assert.equal(pagesLikeThese(sitesOf([0, 0, 0, 0]), 1), null);
  assert.equal(pagesLikeThese([...sitesOf([0, 0, 0, 0]), []], 1), null);
  assert.equal(pagesLikeThese([...sitesOf([0, 0, 0, 0, 0]), []], 1)?.nSites, 5);
});

test('is less certain about one more site than about the mean of all such sites', () => {
  const found = pagesLikeThese(sitesOf(EFFECTS), 1);
  assert.ok(found);
  const { ratio, ofOneMore } = found;
  assert.ok(Math.abs(ratio.estimate - Math.exp(-0.05)) < 0.03);
  assert.ok(ofOneMore.low < (ratio.low ?? 0) && ofOneMore.high > (ratio.high ?? 9));
});

test('predicts one more site by the t of two sites fewer', () => {
  // Without noise of pairs: standard deviation of the effects 0.1871, t of 4 degrees of freedom 2.776.
  const { ofOneMore } = pagesLikeThese(sitesOf(EFFECTS, 0), 1) ?? {};
  const reach = 2.7764 * 0.18708 * Math.sqrt(1 + 1 / 6);
  assert.ok(Math.abs(Math.log(ofOneMore?.high ?? 0) - (-0.05 + reach)) < 1e-3);
  assert.ok(Math.abs(Math.log(ofOneMore?.low ?? 0) - (-0.05 - reach)) < 1e-3);
});

test('does not take the noise of pairs for a difference of sites', () => {
  const noisy = pagesLikeThese(sitesOf([0, 0, 0, 0, 0, 0], 0.3), 1);
  const reach = Math.log(noisy?.ofOneMore.high ?? 0) - Math.log(noisy?.ofOneMore.low ?? 1);
  // If the sites truly differed by that noise, the interval would be 2.6 times as wide.
  const { low, high } = noisy?.ratio ?? {};
  assert.ok(
    low && high && reach < 2 * Math.log(high / low),
    String(reach / Math.log((high ?? 1) / (low ?? 1))),
  );
});

test('returns the same interval for the same seed', () => {
  // From 12 sites on it is resampled.
  const subjects = sitesOf([...EFFECTS, ...EFFECTS]);
  assert.deepEqual(pagesLikeThese(subjects, 3), pagesLikeThese(subjects, 3));
  assert.notDeepEqual(pagesLikeThese(subjects, 3)?.ratio, pagesLikeThese(subjects, 4)?.ratio);
});
