import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holm } from '../../../statistics/holm.ts';
import { tarone } from '../../../statistics/tarone.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

test('corrects tests that can all pass as Holm does', () => {
  for (const { p } of goldenCases<{ p: number[] }>('adjusted-p-values')) {
    const adjusted = tarone(
      p.map((each) => ({ p: each, leastP: 0 })),
      0.05,
    );
    for (const [index, value] of holm(p).entries()) assertClose(adjusted[index], value as number);
  }
});

test('gives a test that cannot pass no share of the error', () => {
  const eight = (leastP: number) => Array.from({ length: 8 }, () => ({ p: leastP, leastP }));
  // Six pairs of one sign, 0.031, cannot pass in a family of eight of their kind.
  const [clear, ...few] = tarone([{ p: 0.02, leastP: 0.0005 }, ...eight(1 / 32)], 0.05);
  // 0.05 / 2 is below all of the eight, and one may pass: p counts twice.
  assert.equal(clear, 0.04);
  assert.ok(few.every((p) => (p as number) > 0.05));
  assert.equal(holm([0.02, ...few.map(() => 1 / 32)])[0], 0.18);
});

test('lets p equal the least p of a test', () => {
  // Nine pairs pass among eight, 2 / 512 x 8 = 0.03; eight pairs do not.
  const family = (leastP: number) => Array.from({ length: 8 }, () => ({ p: leastP, leastP }));
  assert.deepEqual(tarone(family(2 / 512), 0.05), Array(8).fill(1 / 32));
  assert.ok(tarone(family(2 / 256), 0.05).every((p) => (p as number) > 0.05));
});

test('does not count a test that was not made as a member', () => {
  assert.deepEqual(tarone([], 0.05), []);
  assert.deepEqual(tarone([{ p: null, leastP: 1 }], 0.05), [null]);
  assert.deepEqual(
    tarone(
      [
        { p: null, leastP: 0 },
        { p: 0.03, leastP: 0 },
      ],
      0.05,
    ),
    [null, 0.03],
  );
});

test('has a false finding in at most 5 % of families of discrete tests without differences', () => {
  const { uniform } = noiseOf(7);
  const runs = 4000;
  let wrong = 0;
  for (let run = 0; run < runs; run++) {
    const family = [6, 6, 6, 7, 9, 12, 12, 20].map((pairs) => {
      // The sign test in one direction and the opposite one: p is a power of 2, or 1.
      const leastP = 2 ** (1 - pairs);
      const step = Math.floor(-Math.log2(uniform()));
      return { p: step >= pairs - 1 ? leastP : 2 ** -step, leastP };
    });
    if (tarone(family, 0.05).some((p) => (p as number) <= 0.05)) wrong++;
  }
  assert.ok(wrong / runs <= 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs), `${wrong} of ${runs}`);
});
