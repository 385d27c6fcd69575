import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseFrom } from '../../../../../test/unit/report/summary/simulated-blocks.ts';
import {
  type Answer,
  countAnswers,
  simulateRuns,
} from '../../../bench/known-difference/recorded-noise.ts';

const answer = (
  verdict: Answer['verdict'],
  [estimate, low, high]: readonly [number, number | null, number | null],
): Answer => ({ verdict, ratio: { estimate, low, high }, nPairs: 20 });

const ANSWERS: readonly Answer[] = [
  answer('slower', [1.1, 1.04, 1.16]),
  answer('faster', [0.9, 0.85, 0.96]),
  answer('same', [1.01, 0.98, 1.04]),
  answer('undecided', [1.02, 0.9, 1.12]),
  answer('undecided', [1.02, null, 1.04]),
  { verdict: 'undecided', ratio: null, nPairs: 4 },
];

test('counts decisions, wrong ones and intervals that miss the truth', () => {
  const common = { runs: 6, decided: 3, slower: 1, faster: 1, same: 1, medianPairs: 20 };
  const of = (ratio: number) => countAnswers(ANSWERS, { ratio, marginPercent: 5 });
  // Nothing differs: both directions are wrong.
  assert.deepEqual(of(1), { ...common, wrong: 2, outside: 2, medianRatio: 1.02 });
  // 3 % slower: `same` is right, as it lies within the margin, and so is `slower`.
  assert.deepEqual(of(1.03), { ...common, wrong: 1, outside: 2, medianRatio: 1.02 });
  // 5 % and more slower: `same` is wrong, too.
  assert.deepEqual(of(1.05), { ...common, wrong: 2, outside: 3, medianRatio: 1.02 });
  assert.deepEqual(of(0.9), { ...common, wrong: 2, outside: 2, medianRatio: 1.02 });
});

test('has no median without values', () => {
  const counts = countAnswers([], { ratio: 1, marginPercent: 5 });
  assert.deepEqual([counts.runs, counts.decided, counts.medianRatio], [0, 0, null]);
});

test('finds the larger difference more often, and is wrong in at most 5 % of simulated runs without one', () => {
  const noise = noiseFrom(8);
  const page = Array.from({ length: 8 }, () => [0, 1, 2].map(() => 0.1 * noise()));
  const common = { pairs: 24, pairsPerStart: 3, marginPercent: 5, runs: 600, seed: 1 };
  const countsOf = (ratio: number) =>
    countAnswers(simulateRuns([page], { ...common, ratio }), { ratio, marginPercent: 5 });
  const [none, some, more] = [countsOf(1), countsOf(1.05), countsOf(1.1)];
  // 30 are expected at most; the standard error is 5.3.
  assert.ok(none.wrong <= 46, `${none.wrong} wrong of 600`);
  assert.ok(more.slower > some.slower + 100, `${some.slower} and ${more.slower}`);
  assert.ok(Math.abs((more.medianRatio ?? 0) - 1.1) < 0.01, `${more.medianRatio}`);
  assert.equal(more.medianPairs, 24);
});
