import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIME } from '../../../../ground/experiment.ts';
import {
  decideAtEnd,
  decideFamily,
  type Evidence,
  estimateAt,
  isPrecise,
  type QuestionLook,
} from '../../../../report/summary/family.ts';
import { type FixedSites, fixedSites } from '../../../../statistics/fixed-sites.ts';
import { nominalLevels } from '../../../../statistics/group-sequential.ts';
import { normalQuantile } from '../../../../statistics/normal-distribution.ts';
import { assertEach } from '../../assert-each.ts';
import { noiseOf } from '../../statistics/noise.ts';

const SETTINGS = { marginPercent: 5, metric: TIME };
const FAILED = Number.POSITIVE_INFINITY;

/** A mean this many of its standard errors from 0; nearly normal. */
function evidence(distance: number, { nPairs = 24, error = 0.1 } = {}): Evidence {
  const ratio: FixedSites = {
    estimate: distance * error,
    errors: { below: error, above: error },
    degreesOfFreedom: 1e6,
  };
  return { nPairs, ratio, failures: [], nBothFailed: 0 };
}

/** Decides a family from looks that include all of its questions. */
function decide(
  looks: readonly { fraction: number; evidence: readonly Evidence[] }[],
  settings = SETTINGS,
) {
  const questions = (looks[0]?.evidence ?? []).map((_, index) =>
    looks.map(
      ({ fraction, evidence }): QuestionLook => ({
        fraction,
        evidence: evidence[index] as Evidence,
      }),
    ),
  );
  return decideFamily(questions, settings);
}

/** Critical value in standard errors at this level. */
const boundAt = (level: number) => normalQuantile(1 - level / 2);

const close = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual}, not ${expected}`);

test('spends the whole 5 % on one question and one look', () => {
  const verdictAt = (distance: number) =>
    decide([{ fraction: 1, evidence: [evidence(distance)] }])[0];
  close(verdictAt(0)?.level, 0.05);
  assert.equal(verdictAt(1.95)?.verdict, 'undecided');
  assert.equal(verdictAt(1.97)?.verdict, 'slower');
  assert.equal(verdictAt(-1.97)?.verdict, 'faster');
  assert.deepEqual([verdictAt(1.95)?.afterPairs, verdictAt(1.97)?.afterPairs], [null, 24]);
});

test('splits the 5 % equally among questions, however they are decided', () => {
  const verdictsOf = (...distances: number[]) =>
    decide([{ fraction: 1, evidence: distances.map((each) => evidence(each)) }]).map(
      ({ verdict, level }) => [verdict, Number(level.toFixed(6))],
    );
  const half = boundAt(0.05 / 2);
  // Clear at 5 %, and not at 2.5 %.
  assert.deepEqual(verdictsOf(half - 0.01, half + 0.01), [
    ['undecided', 0.025],
    ['slower', 0.025],
  ]);
  assert.deepEqual(verdictsOf(0, 9, -9), [
    ['undecided', 0.016667],
    ['slower', 0.016667],
    ['faster', 0.016667],
  ]);
});

test('does not decide "same" for an arm that rarely loads, even if ties keep the ratio at 1', () => {
  const decided = (nBothFailed: number) =>
    decide(
      [{ fraction: 1, evidence: [{ ...evidence(0, { error: 0.001 }), nBothFailed }] }],
      SETTINGS,
    )[0]?.verdict;
  assert.equal(decided(0), 'same');
  // Of 24 pairs: less and more than 29 %.
  assert.equal(decided(6), 'same');
  assert.equal(decided(8), 'undecided');
});

test('passes no error on when every question is decided as the same', () => {
  // Within the margin at 1.25 %, and clear of 1 at 5 %.
  const same = evidence(0, { error: 0.01 });
  const odd = evidence(2.1, { error: 0.03 });
  const decisions = decide([{ fraction: 1, evidence: [same, same, same, odd] }]);
  assertEach(decisions, ({ verdict }) => verdict, ['same', 'same', 'same', 'undecided']);
});

test('gives a look what earlier looks leave of its share', () => {
  const looks = [
    { fraction: 0.5, evidence: [evidence(0), evidence(0)] },
    { fraction: 1, evidence: [evidence(9, { nPairs: 48 }), evidence(2.1, { nPairs: 48 })] },
  ];
  const [level] = nominalLevels(0.025, [
    { fraction: 0.5, information: 24 },
    { fraction: 1, information: 48 },
  ]).slice(-1);
  for (const decision of decide(looks)) close(decision.level, level ?? 0);
});

test('decides a question at its last look, with the level and the pairs of that look', () => {
  const looks = [
    { fraction: 0.5, evidence: [evidence(4)] },
    { fraction: 1, evidence: [evidence(-9, { nPairs: 48 })] },
  ];
  assert.equal(decide(looks.slice(0, 1))[0]?.verdict, 'slower');
  const [last] = decide(looks);
  assert.deepEqual([last?.verdict, last?.afterPairs], ['faster', 48]);
});

test('calls an answer precise when it is the same, or its interval is no wider than the margin', () => {
  const rule = { marginPercent: 5, isOnly: false };
  const isPreciseAt = (estimate: number, error: number, isOnly = false) => {
    const seen = evidence(estimate / error, { error });
    const [decision] = decide([{ fraction: 1, evidence: [seen] }]);
    return decision && isPrecise(seen, decision, { ...rule, isOnly });
  };
  const margin = Math.log(1.05);
  assert.equal(isPreciseAt(0.3, margin / 1.97), true);
  assert.equal(isPreciseAt(0.3, margin / 1.95), false, 'clear of 1, and wider than the margin');
  assert.equal(isPreciseAt(0.02, margin / 1.97), false, 'narrow, and undecided');
  assert.equal(isPreciseAt(0, margin / 1.97), true, 'the same');
  // The only question of a run may end at two thirds of its difference.
  assert.equal(isPreciseAt(0.3, 0.2 / 1.97, true), true);
  assert.equal(isPreciseAt(0.3, 0.2 / 1.95, true), false);
  assert.equal(isPreciseAt(0.06, margin / 1.97, true), true);
});

test('never calls an interval without a limit precise, and needs no precision when failures decide', () => {
  const rule = { marginPercent: 5, isOnly: false };
  const slower = { verdict: 'slower', level: 0.05 } as const;
  const open = {
    estimate: 0.5,
    errors: { below: 0.001, above: FAILED },
    degreesOfFreedom: 1e6,
  };
  assert.equal(isPrecise({ ratio: open }, slower, rule), false);
  assert.equal(isPrecise({ ratio: { ...open, estimate: FAILED } }, slower, rule), true);
  assert.equal(isPrecise({ ratio: null }, { ...slower, verdict: 'undecided' }, rule), false);
});

test('spends nothing on a repeated look without new pairs', () => {
  const [twice] = decide(
    [
      { fraction: 0.5, evidence: [evidence(0)] },
      { fraction: 1, evidence: [evidence(0)] },
    ],
    SETTINGS,
  );
  close(twice?.level, 0.05);
});

test('ignores looks at a question that has no interval yet', () => {
  const none: Evidence = { nPairs: 0, ratio: null, failures: [], nBothFailed: 0 };
  const few: Evidence = {
    nPairs: 5,
    ratio: fixedSites([[[1, 1, 1, 1, 1]]]),
    failures: [],
    nBothFailed: 0,
  };
  const decisions = (...before: Evidence[]) =>
    decide(
      [...before, evidence(1.97)].map((each, index) => ({
        fraction: (index + 1) / (before.length + 1),
        evidence: [each],
      })),
      SETTINGS,
    )[0];
  assert.equal(decisions(none, few)?.verdict, 'slower');
  assert.deepEqual(decide([{ fraction: 1, evidence: [few] }]), [
    { verdict: 'undecided', level: 0.05, afterPairs: null },
  ]);
  assert.deepEqual(decide([]), []);
});

test('calls an interval within the margin the same, also if it excludes 1', () => {
  const verdictOf = (estimate: number, error: number) =>
    decide([{ fraction: 1, evidence: [evidence(estimate / error, { error })] }])[0]?.verdict;
  const margin = Math.log(1.05);
  assert.equal(verdictOf(0.02, 0.005), 'same');
  assert.equal(verdictOf(-0.02, 0.005), 'same');
  assert.equal(verdictOf(0, margin / 1.97), 'same');
  assert.equal(verdictOf(0, margin / 1.95), 'undecided');
  assert.equal(verdictOf(0.02, 0.016), 'undecided');
  assert.equal(verdictOf(0.06, 0.01), 'slower');
});

test('decides by the remaining limit when failures remove the opposite one', () => {
  const oneSided = (estimate: number, below: number, above: number): Evidence => ({
    nPairs: 24,
    failures: [],
    nBothFailed: 0,
    ratio: { estimate, errors: { below, above }, degreesOfFreedom: 1e6 },
  });
  const verdictOf = (each: Evidence) => decide([{ fraction: 1, evidence: [each] }])[0]?.verdict;
  assert.equal(verdictOf(oneSided(0.5, 0.1, FAILED)), 'slower');
  assert.equal(verdictOf(oneSided(-0.5, FAILED, 0.1)), 'faster');
  assert.equal(verdictOf(oneSided(0.01, 0.001, FAILED)), 'slower', 'never the same');
  assert.equal(verdictOf(oneSided(0.01, FAILED, 0.001)), 'undecided');
});

test('decides by the sign test of failures when they leave no ratio', () => {
  const failing = (above: number, below: number): Evidence => ({
    nPairs: 20,
    nBothFailed: 0,
    ratio: { estimate: FAILED, errors: { below: FAILED, above: Number.NaN }, degreesOfFreedom: 19 },
    failures: [...Array<number>(above).fill(1), ...Array<number>(below).fill(-1)],
  });
  const verdictOf = (above: number, below: number) =>
    decide([{ fraction: 1, evidence: [failing(above, below)] }])[0]?.verdict;
  // Two-sided: 2 / 2^5 = 0.063, 2 / 2^6 = 0.031; 9 of 10: 22 / 1024 = 0.021, 8 of 10: 0.109.
  assert.deepEqual([verdictOf(5, 0), verdictOf(6, 0)], ['undecided', 'slower']);
  assert.deepEqual([verdictOf(0, 5), verdictOf(0, 6)], ['undecided', 'faster']);
  assert.deepEqual([verdictOf(9, 1), verdictOf(8, 2)], ['slower', 'undecided']);
  assert.equal(verdictOf(0, 0), 'undecided');
});

test('gives estimates no limit without variance, and gives no estimate for a mean that is not finite', () => {
  assert.equal(estimateAt(null, 0.05), null);
  const infinite = { estimate: FAILED, errors: null, degreesOfFreedom: 0 };
  assert.equal(estimateAt(infinite, 0.05), null);
  assert.deepEqual(estimateAt({ ...infinite, estimate: 0.1 }, 0.05), {
    estimate: 0.1,
    low: null,
    high: null,
  });
  const open = estimateAt(
    { estimate: 0.1, errors: { below: 0.01, above: FAILED }, degreesOfFreedom: 10 },
    0.05,
  );
  assert.ok(open?.low !== null && open?.high === null);
});

test('makes a wrong verdict in at most 5 % of runs over all questions and looks, whichever look is last', () => {
  const { normal, uniform } = noiseOf(31);
  const runs = 200;
  const [questions, subjects, perLook, lookCount] = [3, 2, 4, 4];
  let wrong = 0;
  let wrongAtOnce = 0;
  for (let run = 0; run < runs; run++) {
    const samples = Array.from({ length: questions }, () =>
      Array.from({ length: subjects }, (): number[][] => []),
    );
    const looks = Array.from({ length: lookCount }, (_, look) => {
      for (const own of samples.flat()) {
        for (let pair = 0; pair < perLook * (look === 0 ? 2 : 1); pair++) {
          const [mine, other] = [uniform(), uniform()].map((each) => each < 0.03);
          const value = mine === other ? 0.1 * normal() : mine ? FAILED : -FAILED;
          own.push([value]);
        }
      }
      return {
        fraction: (look + 1) / lookCount,
        evidence: samples.map((own): Evidence => {
          const values = own.flat(2);
          return {
            nPairs: values.length,
            nBothFailed: 0,
            ratio: fixedSites(own),
            failures: values.filter((value) => !Number.isFinite(value)).map(Math.sign),
          };
        }),
      };
    });
    // A margin too small to contain anything.
    const isWrong = (decisions: ReturnType<typeof decideFamily>) =>
      decisions.some(({ verdict }) => verdict !== 'undecided');
    const isWrongAt = (last: number) =>
      isWrong(decide(looks.slice(0, last + 1), { ...SETTINGS, marginPercent: 1e-6 }));
    if (looks.some((_, last) => isWrongAt(last))) wrong++;
    const alone = (question: number, look: (typeof looks)[number]) =>
      decide([{ fraction: 1, evidence: [look.evidence[question] as Evidence] }], {
        ...SETTINGS,
        marginPercent: 1e-6,
      });
    if (samples.some((_, question) => looks.some((look) => isWrong(alone(question, look))))) {
      wrongAtOnce++;
    }
  }
  // 5 % and three standard errors of this number of runs.
  const limit = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs);
  assert.ok(wrong / runs <= limit, `${wrong} of ${runs}`);
  assert.ok(wrongAtOnce / runs > 2 * limit, `without correction ${wrongAtOnce} of ${runs}`);
});

test('wrongly calls a question different in at most 5 % of runs if it is decided once, when another one ends the run', () => {
  const { normal } = noiseOf(32);
  const runs = 2000;
  const settings = { ...SETTINGS, marginPercent: 1e-6 };
  let wrong = 0;
  let wrongAtFullLevel = 0;
  for (let run = 0; run < runs; run++) {
    // Z of the question that ends the run shares its noise with this one, and has a true effect of
    // its own.
    let [own, pairs] = [0, 0];
    const looks: { fraction: number; evidence: Evidence }[] = [];
    for (let index = 1; index <= 4; index++) {
      own += normal() * Math.sqrt(24);
      pairs += 24;
      const ratio = { ...evidence(own / Math.sqrt(pairs)).ratio, degreesOfFreedom: 500 };
      looks.push({
        fraction: index / 4,
        evidence: { ...evidence(0, { nPairs: pairs }), ratio: ratio as FixedSites },
      });
      // Pocock's bound of four looks.
      if (Math.abs(own / Math.sqrt(pairs) + 0.12 * Math.sqrt(pairs)) > 2.361) break;
    }
    const isWrong = ({ verdict }: ReturnType<typeof decideAtEnd>) => verdict !== 'undecided';
    if (isWrong(decideAtEnd(looks, 0.05, settings))) wrong++;
    const last = { fraction: 1, evidence: looks.at(-1)?.evidence as Evidence };
    if (isWrong(decideAtEnd([last], 0.05, settings))) wrongAtFullLevel++;
  }
  const limit = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs);
  assert.ok(wrong / runs <= limit, `${wrong} of ${runs}`);
  assert.ok(wrongAtFullLevel / runs > limit, `at the whole level ${wrongAtFullLevel} of ${runs}`);
});
