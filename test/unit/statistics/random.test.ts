import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededPick } from '../../../statistics/random.ts';

const draw = (seed: number, times: number, count: number) => {
  const pick = seededPick(seed);
  return Array.from({ length: times }, () => pick(count));
};

test('gives the same sequence for the same seed and another one for another', () => {
  assert.deepEqual(draw(5, 50, 1000), draw(5, 50, 1000));
  assert.notDeepEqual(draw(5, 50, 1000), draw(6, 50, 1000));
});

test('gives every index equally often', () => {
  const times = new Array<number>(7).fill(0);
  for (const index of draw(1, 70_000, 7)) times[index] = (times[index] ?? 0) + 1;
  assert.equal(times.length, 7);
  // Five standard deviations of a count of 10,000 in 70,000.
  for (const count of times) assert.ok(Math.abs(count - 10_000) < 5 * 93, String(times));
});

test('begins differently for neighbouring seeds', () => {
  const firsts = new Set(Array.from({ length: 100 }, (_, seed) => draw(seed, 1, 1000)[0]));
  assert.ok(firsts.size > 80, `${firsts.size} different beginnings of 100`);
});

test('rejects a seed that is not a whole number', () => {
  assert.throws(() => seededPick(1.5), /seed is 1.5, expected a whole number/);
  assert.throws(() => seededPick(Number.NaN), RangeError);
});
