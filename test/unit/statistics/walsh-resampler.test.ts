import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { seededPick } from '../../../statistics/random.ts';
import { hodgesLehmannResampler } from '../../../statistics/walsh-resampler.ts';

test('estimates as from the drawn values, also far from the middle and with ties', () => {
  const pick = seededPick(3);
  const random = () => pick(1_000_000) / 1_000_000;
  const shapes: (() => number)[] = [
    random,
    () => Math.round(4 * random()),
    () => Math.exp(6 * random()),
    () => 1 / (random() - 0.5),
  ];
  for (const n of [1, 2, 3, 7, 30, 150]) {
    for (const shape of shapes) {
      const values = Array.from({ length: n }, shape);
      const resample = hodgesLehmannResampler(values);
      for (let seed = 1; seed <= 60; seed++) {
        const [own, other] = [seededPick(seed), seededPick(seed)];
        const drawn = Array.from({ length: n }, () => values[other(n)] as number);
        assert.equal(resample(own), hodgesLehmann(drawn), `${n} values, seed ${seed}`);
      }
      // As far as possible: the same value every time.
      for (const index of [0, n - 1])
        assert.equal(
          resample(() => index),
          values[index],
        );
    }
  }
});
