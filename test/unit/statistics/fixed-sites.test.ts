import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fixedSites,
  fixedSitesInterval,
  fixedSitesP,
  freedom,
  pooledInflation,
  sittingInflation,
} from '../../../statistics/fixed-sites.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { noiseOf } from './noise.ts';

const ONE = [0.1, 0.12, 0.05, 0.2, 0.15, 0.11, 0.09];
const FAILED = Number.POSITIVE_INFINITY;

test('has the site’s own interval for one site with independent pairs, as near as t and signed ranks are', () => {
  const sites = fixedSites([ONE.map((value) => [value])]);
  assert.ok(sites);
  const own = hodgesLehmannInterval(ONE);
  const interval = fixedSitesInterval(sites, 1 - (own?.level ?? 0));
  assert.ok(Math.abs((interval?.low ?? 0) - (own?.low ?? 1)) < 1e-12);
  assert.ok(Math.abs((interval?.high ?? 0) - (own?.high ?? 1)) < 1e-12);
});

test('rounds degrees of freedom down, but for a rounding error', () =>
  assert.deepEqual([0.4, 6.9, 7 - 1e-12, 7.2].map(freedom), [1, 6, 7, 7]));

test('weights sites equally, and adds their errors in quadrature', () => {
  const far = ONE.map((value) => value + 1);
  const apart = (values: readonly number[]) => values.map((value) => [value]);
  const [one, both] = [fixedSites([apart(ONE)]), fixedSites([apart(ONE), apart(far)])];
  assert.ok(one?.errors && both?.errors);
  assert.ok(Math.abs(both.estimate - one.estimate - 0.5) < 1e-12);
  assert.ok(Math.abs(both.errors.above - one.errors.above / Math.SQRT2) < 1e-12);
  assert.equal(Math.round(both.degreesOfFreedom), 12);
});

test('ranks a failure slower than everything: moves the estimate a little, and the limit on its side far', () => {
  const [without, one, two] = [0, 1, 2].map((failures) => {
    const values = [...ONE, ...Array.from({ length: failures }, () => FAILED)];
    const sites = fixedSites([values.map((value) => [value])]);
    assert.ok(sites);
    return { ...sites, interval: fixedSitesInterval(sites, 0.05) };
  });
  assert.ok(without?.interval && one?.interval && two?.interval);
  assert.ok(one.estimate > without.estimate && one.estimate < 0.13);
  assert.ok((one.errors?.above ?? 0) > 2 * (without.errors?.above ?? 0));
  assert.ok(one.interval.low > 0 && Number.isFinite(one.interval.high));
  assert.ok(two.interval.low > 0);
  assert.equal(two.interval.high, FAILED);
});

test('has no finite estimate, and no interval, if a third of the pairs failed', () => {
  const sites = fixedSites([[0.1, 0.1, 0.2, 0.2, FAILED, FAILED, FAILED].map((value) => [value])]);
  assert.equal(sites?.estimate, FAILED);
  assert.equal(sites && fixedSitesInterval(sites, 0.05), null);
});

test('has no interval with fewer than 6 pairs at any site, and nothing without pairs', () => {
  assert.equal(fixedSites([[ONE], [[0.1, 0.2]]])?.errors, null);
  assert.equal(fixedSites([]), null);
  assert.equal(fixedSites([[], []]), null);
});

test('holds the mean of the sites in 95 % of samples if browsers differ much, and in more if they do not', () => {
  for (const [betweenBrowsers, least, most] of [
    [0, 0.95, 1],
    [0.2, 0.92, 0.98],
  ] as const) {
    for (const [nSites, groups] of [
      [1, 4],
      [4, 2],
      [4, 4],
    ] as const) {
      const draw = noiseOf(nSites * 10 + groups).normal;
      let inside = 0;
      const samples = 600;
      for (let sample = 0; sample < samples; sample++) {
        const sites = Array.from({ length: nSites }, () =>
          Array.from({ length: groups }, () => {
            const shared = betweenBrowsers * draw();
            return Array.from({ length: 4 }, () => shared + 0.1 * draw());
          }),
        );
        const interval = fixedSitesInterval(
          fixedSites(sites) as NonNullable<ReturnType<typeof fixedSites>>,
          0.05,
        );
        if (interval && interval.low <= 0 && interval.high >= 0) inside++;
      }
      const share = inside / samples;
      assert.ok(
        share >= least && share <= most,
        `${nSites} sites, ${groups} groups, ${betweenBrowsers}: ${share}`,
      );
    }
  }
});

test('uses the spread of sites as the error in a survey of many sites with few pairs each, and lacks it for a few sites', () => {
  const values = Array.from({ length: 25 }, (_, index) => index / 100);
  const survey = fixedSites(values.map((value) => [[value]]));
  assert.ok(survey?.errors);
  assert.ok(Math.abs(survey.estimate - 0.12) < 1e-12);
  // NumPy: std(ddof=1) / sqrt(25).
  assert.ok(Math.abs(survey.errors.above - 0.014719601443879744) < 1e-12);
  assert.equal(survey.errors.below, survey.errors.above);
  assert.equal(survey.degreesOfFreedom, 24);
  assert.equal(fixedSites(values.slice(0, 19).map((value) => [[value]]))?.errors, null);
  assert.equal(fixedSites([...values, FAILED].map((value) => [[value]]))?.errors, null);
});

test('has p at the level at which the interval begins to hold 0, to either side', () => {
  for (const shift of [0, -0.3, -0.1]) {
    const sites = fixedSites(
      [ONE, ONE.map((value) => 1.1 * value)].map((site) => [site.map((value) => value + shift)]),
    );
    const p = sites && fixedSitesP(sites);
    assert.ok(sites && p && p > 0 && p < 1);
    const [held, left] = [0.999 * p, 1.001 * p].map((level) => fixedSitesInterval(sites, level));
    assert.ok(held && held.low < 0 && held.high > 0, `${shift}`);
    assert.ok(left && (left.low > 0 || left.high < 0), `${shift}`);
  }
});

test('has no p without an interval, and decides nothing without an effect', () => {
  assert.equal(fixedSitesP({ estimate: 0.1, errors: null, degreesOfFreedom: 0 }), null);
  assert.equal(
    fixedSitesP({ estimate: FAILED, errors: { below: 1, above: FAILED }, degreesOfFreedom: 9 }),
    null,
  );
  assert.equal(
    fixedSitesP({ estimate: 0, errors: { below: 0, above: 0 }, degreesOfFreedom: 9 }),
    1,
  );
  assert.equal(
    fixedSitesP({ estimate: 0.1, errors: { below: FAILED, above: 1 }, degreesOfFreedom: 9 }),
    1,
  );
});

/** Sites that share six sittings, which differ by these shifts, with two pairs of each site in a sitting. */
function inSittings(shifts: readonly number[]) {
  const noise = noiseOf(11);
  const samples = Array.from({ length: 5 }, () =>
    shifts.map((shift) => [shift + 0.1 * noise.normal(), shift + 0.1 * noise.normal()]),
  );
  return { samples, sittings: samples.map((groups) => groups.map((_, at) => `sitting ${at}`)) };
}

function ofSittings(...of: Parameters<typeof sittingInflation>) {
  return pooledInflation([sittingInflation(...of)]);
}

test('sittings that differ alike at all sites widen the interval to their jackknife, which sites alone hide', () => {
  const shifts = [0.3, -0.2, 0.1, -0.3, 0.2, -0.1];
  const { samples, sittings } = inSittings(shifts);
  const [hidden, seen] = [fixedSites(samples), fixedSites(samples, ofSittings(samples, sittings))];
  assert.ok(hidden?.errors && seen?.errors);
  assert.equal(seen.estimate, hidden.estimate);
  assert.equal(seen.degreesOfFreedom, 5);
  const error = (seen.errors.below + seen.errors.above) / 2;
  // The standard error of the mean of these shifts.
  const expected = Math.sqrt(shifts.reduce((sum, shift) => sum + shift ** 2, 0) / 5 / 6);
  assert.ok(Math.abs(error / expected - 1) < 0.25, `${error} ${expected}`);
  assert.ok(hidden.errors.above < 0.7 * seen.errors.above);
});

test('sittings that do not differ only limit the degrees of freedom, and fewer than four do nothing', () => {
  const { samples, sittings } = inSittings([0, 0, 0, 0, 0, 0]);
  const [hidden, seen] = [fixedSites(samples), fixedSites(samples, ofSittings(samples, sittings))];
  assert.ok(hidden?.errors && seen?.errors);
  assert.ok(seen.errors.above < 1.3 * hidden.errors.above);
  assert.equal(seen.degreesOfFreedom, 5);
  const ofThree = sittings.map((names) => names.map((_, at) => `sitting ${at % 3}`));
  assert.deepEqual(fixedSites(samples, ofSittings(samples, ofThree)), hidden);
});

test('pooled inflations are their mean, at least 1, with all their degrees of freedom', () => {
  const one = { inflation: 3, degreesOfFreedom: 5 };
  const other = { inflation: 0.5, degreesOfFreedom: 5 };
  assert.deepEqual(pooledInflation([one, null, other]), { inflation: 1.75, degreesOfFreedom: 10 });
  assert.deepEqual(pooledInflation([other]), { inflation: 1, degreesOfFreedom: 5 });
  assert.equal(pooledInflation([null]).inflation, 1);
});
