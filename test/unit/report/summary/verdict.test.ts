import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import {
  decideSite,
  morePairsNeeded,
  SIGNIFICANCE,
  type SiteEvidence,
  undecidableTests,
} from '../../../../report/summary/verdict.ts';
import { reasonText } from '../../../../report/text/reason.ts';
import {
  detectableDifference,
  expectedHalfWidth,
} from '../../../../statistics/detectable-difference.ts';
import { holm } from '../../../../statistics/holm.ts';

const METRIC = metricNamed(pageLoad, 'pageLoadMs');

function judged(evidence: Partial<SiteEvidence>, marginPercent = 5, significance = 0.05) {
  const ratio = { estimate: 0.9, low: 0.85, high: 0.95 };
  const few = {
    nPairs: 30,
    ratio,
    logStandardDeviation: 0.1,
    nBothFailed: 0,
    isSlower: false,
    p: 0.001,
    pHolm: 0.01,
  };
  const full = { ...few, ...evidence };
  const judgement = decideSite(full, { marginPercent, metric: METRIC, significance });
  const reason = reasonText({ ...full, ...judgement }, METRIC, {
    marginPercent,
    experiment: pageLoad,
  });
  return { ...judgement, reason };
}

test('requires an adjusted p below 0.05 for faster and slower', () => {
  assert.equal(judged({}).verdict, 'faster');
  assert.equal(judged({ ratio: { estimate: 1.2, low: 1.1, high: 1.3 } }).verdict, 'slower');
  assert.equal(judged({ pHolm: 0.05 }).verdict, 'undecided');
  assert.equal(judged({ pHolm: 0.0499 }).verdict, 'faster');
});

test('calls a whole interval within the margin the same for any p, with a margin of equal width both ways', () => {
  const inside = { ratio: { estimate: 0.98, low: 1 / 1.05, high: 0.99 } };
  assert.equal(judged({ ...inside, pHolm: 0.0001 }).verdict, 'same');
  assert.equal(judged({ ...inside, pHolm: 0.9, nBothFailed: 20 }).verdict, 'undecided');
  assert.equal(
    judged({ ratio: { estimate: 1, low: 0.96, high: 1.05 }, pHolm: 0.9 }).verdict,
    'same',
  );
  assert.equal(
    judged({ ratio: { estimate: 1, low: 0.952, high: 1.05 }, pHolm: 0.9 }).verdict,
    'undecided',
  );
  assert.equal(
    judged({ ratio: { estimate: 1, low: 0.96, high: 1.051 }, pHolm: 0.9 }).verdict,
    'undecided',
  );
  assert.equal(judged({ ratio: { estimate: 0.98, low: 0.96, high: 0.99 } }, 1).verdict, 'faster');
});

test('gives no verdict below 6 pairs, and states how many are missing', () => {
  const none = { ratio: { estimate: 0.5, low: null, high: null }, p: null, pHolm: null };
  const { verdict, reason, morePairsNeeded, detectablePercent } = judged({ ...none, nPairs: 5 });
  assert.equal(verdict, 'undecided');
  assert.equal(reason, '5 pairs of loads: a test needs 6.');
  assert.equal(morePairsNeeded, 1);
  assert.equal(detectablePercent, null);
  assert.match(judged({ ...none, ratio: null, nPairs: 0 }).reason, /No pair of loads/);
});

test('states with an undecided verdict the detectable difference and how many more pairs would show it', () => {
  const unsure = { ratio: { estimate: 0.97, low: 0.93, high: 1.01 }, p: 0.03, pHolm: 0.2 };
  const { verdict, reason, detectablePercent, morePairsNeeded } = judged({
    ...unsure,
    marginPercent: 1,
  } as Partial<SiteEvidence>);
  assert.equal(verdict, 'undecided');
  // (2.045 + 0.854) x 0.1 / root of (30 x 3 / pi) = 0.0542: e to the power of it is 5.57 % more.
  assert.ok(Math.abs((detectablePercent ?? 0) - 5.57) < 0.05, String(detectablePercent));
  assert.ok(morePairsNeeded !== null && morePairsNeeded > 0);
  assert.match(reason, /Anything from 7 % faster to 1 % slower/);
  assert.match(reason, /It would be a difference by itself \(p = 0\.03\)/);
  assert.match(reason, /detect differences of about 5\.6 % or more/);
  assert.match(reason, new RegExp(`about ${morePairsNeeded} more pairs would show it`));
});

test('reports that an estimate at the margin with a wide spread needs more pairs than is reasonable', () => {
  const ratio = { estimate: 1.05, low: 0.5, high: 2 };
  const { reason, morePairsNeeded } = judged({ ratio, logStandardDeviation: 2, p: 0.9, pHolm: 1 });
  assert.equal(morePairsNeeded, null);
  assert.match(reason, /more than 1,000 further pairs/);
});

test('decides by the test of failures when they leave no ratio', () => {
  const failing = { ratio: null, isSlower: true };
  const slower = judged(failing);
  assert.equal(slower.verdict, 'slower');
  assert.match(
    slower.reason,
    /^Fails more often: too many loads failed for a ratio; 30 pairs, p = 0\.01 /,
  );
  const faster = judged({ ...failing, isSlower: false });
  assert.deepEqual([faster.verdict, /^Fails less often/.test(faster.reason)], ['faster', true]);
  const unsure = judged({ ...failing, pHolm: 0.05 });
  assert.deepEqual([unsure.verdict, unsure.morePairsNeeded], ['undecided', null]);
  assert.match(unsure.reason, /^Too many loads failed for a ratio/);
});

test('never calls an interval without a limit the same, and describes its one limit', () => {
  const unsure = { p: 0.2, pHolm: 0.4 };
  const half = judged({ ...unsure, ratio: { estimate: 1, low: 0.99, high: null } });
  assert.equal(half.verdict, 'undecided');
  assert.match(half.reason, /^1 % faster or worse; /);
  const none = judged({ ...unsure, ratio: { estimate: 1, low: null, high: null } });
  assert.match(none.reason, /^Failures leave the ratio no limit; /);
  const slower = judged({ ratio: { estimate: 1.3, low: 1.1, high: null } });
  assert.deepEqual(slower.verdict, 'slower');
  assert.match(slower.reason, /^30 % slower \(10 % slower or worse\)/);
});

test('applies a stricter level to a run with earlier looks', () => {
  const stricter = (pHolm: number) =>
    decideSite(
      {
        nPairs: 30,
        ratio: { estimate: 0.9, low: 0.85, high: 0.95 },
        logStandardDeviation: 0.1,
        nBothFailed: 0,
        isSlower: false,
        p: 0.001,
        pHolm,
      },
      { marginPercent: 5, metric: METRIC, significance: 0.0277 },
    ).verdict;
  assert.deepEqual([stricter(0.0276), stricter(0.0277)], ['faster', 'undecided']);
});

const SO_FAR = { nPairs: 20, logRatio: -0.08, logStandardDeviation: 0.2, logMargin: 0.01 };

test('computes the fewest additional pairs that make the difference detectable', () => {
  const more = morePairsNeeded(SO_FAR);
  assert.ok(more !== null && more > 0);
  assert.ok((detectableDifference(20 + more, 0.2) ?? 1) <= 0.08);
  assert.ok((detectableDifference(20 + more - 1, 0.2) ?? 0) > 0.08);
});

test('computes the pairs that fit the interval into the margin when the estimate is inside', () => {
  const more = morePairsNeeded({ ...SO_FAR, logRatio: 0.001, logMargin: 0.05 });
  assert.ok(more !== null && more > 0);
  assert.ok(0.001 + (expectedHalfWidth(20 + more, 0.2) ?? 1) < 0.05);
  assert.ok(0.001 + (expectedHalfWidth(20 + more - 1, 0.2) ?? 0) >= 0.05);
});

test('returns 0 when the number is enough, null when no reasonable number is', () => {
  assert.equal(morePairsNeeded({ ...SO_FAR, logRatio: 0.5 }), 0);
  assert.equal(morePairsNeeded({ ...SO_FAR, logRatio: 0.01 }), null);
});

test('finds tests with too few pairs for the least possible p, after earlier decisions', () => {
  const of = (...pairs: number[]) =>
    undecidableTests(pairs.map((nPairs) => ({ nPairs, pHolm: nPairs < 6 ? null : 1 })));
  assert.equal(of(), null);
  // 2 / 2^6 = 0.031 for one test, and 0.0625 for two.
  assert.equal(of(6), null);
  assert.deepEqual(of(6, 6), { nOf: 2, nTests: 2, mostPairs: 6, pairsNeeded: 7, pairsForAll: 7 });
  // Once the second one is decided, the correction is for this one alone.
  assert.equal(of(6, 7), null);
  // Below 6 nothing is tested.
  assert.equal(of(6, 5, 0), null);
  const twoConditions = [...Array(8).fill(12), ...Array(8).fill(6)];
  assert.deepEqual(of(...twoConditions), {
    ...{ nOf: 8, nTests: 16, mostPairs: 6, pairsNeeded: 9, pairsForAll: 10 },
  });
});

test('decides differences without exception with as many pairs as it reported to be needed', () => {
  for (const nTests of [1, 2, 16, 32, 180]) {
    const few = undecidableTests(Array.from({ length: nTests }, () => ({ nPairs: 5, pHolm: 1 })));
    const { pairsNeeded = 0 } = few ?? {};
    const least = (nPairs: number) => holm(Array(nTests).fill(2 / 2 ** nPairs))[0] ?? 1;
    assert.ok(least(pairsNeeded) < SIGNIFICANCE, `${nTests}: ${pairsNeeded}`);
    assert.ok(least(pairsNeeded - 1) >= SIGNIFICANCE, `${nTests}: ${pairsNeeded}`);
  }
});
