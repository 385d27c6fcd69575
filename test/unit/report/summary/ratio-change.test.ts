import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioChange } from '../../../../report/summary/ratio-change.ts';
import { type Noise, noiseOf } from '../../statistics/noise.ts';

const close = (value: number | null | undefined, expected: number) =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-9, `${value}, expected ${expected}`);

test('is the ratio of the two ratios, and its reciprocal in the opposite order', () => {
  const first = [-0.3, -0.2, -0.1, -0.25, -0.15, -0.2, -0.22];
  const second = first.map((value) => value + Math.log(1.5));
  const change = ratioChange(first, second, { seed: 1 });
  close(change?.estimate, 1.5);
  const back = ratioChange(second, first, { seed: 1 });
  close(back?.estimate, 1 / 1.5);
  assert.ok(change?.low && change.high && change.low < 1.5 && change.high > 1.5);
  assert.ok(change.low > 1.3 && change.high < 1.8);
});

test('has the same interval for the same seed, and nearly the same for another', () => {
  const noise = noiseOf(3);
  const [first, second] = [20, 25].map((n) => Array.from({ length: n }, noise.normal));
  const of = (seed: number) => ratioChange(first ?? [], second ?? [], { seed });
  assert.deepEqual(of(1), of(1));
  assert.notDeepEqual(of(1), of(2));
  assert.ok(Math.abs((of(1)?.low ?? 0) / (of(2)?.low ?? 0) - 1) < 0.1);
});

test('has no interval with too few pairs in one run, and nothing without pairs', () => {
  const six = [1, 2, 3, 4, 5, 6];
  assert.equal(ratioChange([], six, { seed: 1 }), null);
  assert.equal(ratioChange(six, [], { seed: 1 }), null);
  const change = ratioChange(six, [1, 2, 3, 4, 5], { seed: 1 });
  assert.deepEqual([change?.low, change?.high], [null, null]);
  assert.notEqual(ratioChange(six, six, { seed: 1 })?.low, null);
});

test('has an interval without width for loads that never differ', () => {
  const change = ratioChange(new Array(8).fill(0.1), new Array(9).fill(0.3), { seed: 1 });
  close(change?.low, Math.exp(0.2));
  close(change?.high, Math.exp(0.2));
});

// The truth is 1. The seeds are fixed, so that runs do not differ; chance alone moves a share of
// this many samples by 0.7 points (one standard error).
const SAMPLES = 1000;
const LEAST = 0.93;
const MOST = 0.98;
const RESAMPLES = Number(process.env.COVERAGE_RESAMPLES ?? 400);

function holding(
  seed: number,
  made: (noise: Noise, seed: number) => ReturnType<typeof ratioChange>,
) {
  const noise = noiseOf(seed);
  let held = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const interval = made(noise, sample);
    assert.ok(interval?.low && interval.high);
    if (interval.low <= 1 && interval.high >= 1) held++;
  }
  return held / SAMPLES;
}

const SIZES: [first: number, second: number][] = [
  [6, 6],
  [6, 30],
  [10, 10],
  [12, 7],
  [30, 20],
];

const SHAPES: { name: string; draw: (noise: Noise) => number }[] = [
  { name: 'normal', draw: (noise) => noise.normal() },
  { name: 'skewed', draw: (noise) => noise.exponential() },
  {
    name: 'one load in ten late',
    draw: (noise) => 0.05 * noise.normal() + (noise.uniform() < 0.1 ? noise.exponential() : 0),
  },
];

for (const { name, draw } of SHAPES) {
  for (const spread of name === 'normal' ? [1, 3] : [1]) {
    test(`holds the truth in the interval of a change: ${name} pairs, spread in the second run ${spread} times`, (t) => {
      for (const [first, second] of SIZES) {
        // Both runs have the same centre: with another spread, of a shape that is its own mirror image.
        const sign = (noise: Noise) => (noise.uniform() < 0.5 ? -1 : 1);
        const one = (noise: Noise) => (spread === 1 ? draw(noise) : sign(noise) * draw(noise));
        const share = holding(100 * first + second, (noise, seed) =>
          ratioChange(
            Array.from({ length: first }, () => one(noise)),
            Array.from({ length: second }, () => spread * one(noise)),
            { seed, resamples: RESAMPLES },
          ),
        );
        t.diagnostic(`${first} and ${second} pairs: ${(100 * share).toFixed(1)} %`);
        assert.ok(share >= LEAST && share <= MOST, `${first} and ${second} pairs: ${share}`);
      }
    });
  }
}
