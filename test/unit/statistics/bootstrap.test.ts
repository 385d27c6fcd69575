import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapInterval } from '../../../statistics/bootstrap.ts';
import { mean } from '../../../statistics/mean.ts';
import { noiseOf } from './noise.ts';

const averageOf = (sample: readonly number[]) => mean(sample) as number;
const noise = noiseOf(8);
const values = Array.from({ length: 20 }, () => 100 + noise.normal());

test('the same seed gives the same interval and another seed nearly the same', () => {
  const once = bootstrapInterval(values, averageOf, { seed: 4 });
  assert.deepEqual(bootstrapInterval(values, averageOf, { seed: 4 }), once);
  const other = bootstrapInterval(values, averageOf, { seed: 5 });
  assert.notDeepEqual(other, once);
  assert.ok(Math.abs((other?.low ?? 0) - (once?.low ?? 0)) < 0.1);
});

test("the interval of a mean of normal values is nearly Student's", () => {
  const interval = bootstrapInterval(values, averageOf, { seed: 4 });
  const centre = averageOf(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const reach = 2.093 * Math.sqrt(squares / 19 / 20);
  assert.ok(Math.abs((interval?.low ?? 0) - (centre - reach)) < 0.15 * reach);
  assert.ok(Math.abs((interval?.high ?? 0) - (centre + reach)) < 0.15 * reach);
});

test('every resample has the size of the sample and only its values', () => {
  const seen = new Set<number>();
  bootstrapInterval(
    values,
    (sample) => {
      assert.equal(sample.length, values.length);
      for (const value of sample) seen.add(value);
      return 0;
    },
    { seed: 1, resamples: 50 },
  );
  assert.deepEqual([...seen].sort(), [...values].sort());
});

test('10,000 resamples are made unless another number is asked for', () => {
  let made = 0;
  bootstrapInterval(values, () => made++, { seed: 1 });
  assert.equal(made, 10_000);
});

test('below six values there is no interval', () => {
  assert.equal(bootstrapInterval([1, 2, 3, 4, 5], averageOf, { seed: 1 }), null);
});
