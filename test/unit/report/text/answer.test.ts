import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransportDifferences } from '../../../../ground/records/like-for-like.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import { estimate, sentenceOf } from './answer-sentence.ts';

const START = 'With no added delay, lsquic (h3)';

test('a difference is told in percent and in what visitors save, or lose', () => {
  assert.equal(
    sentenceOf('faster'),
    `${START} is 10 % faster than Bun (h2) on these 4 pages (5 to 15 % faster): 61 ms saved on average (39 to 83).`,
  );
  assert.equal(
    sentenceOf('slower', {
      nSites: 1,
      ratio: estimate(1.2, 1.1, 1.3),
      difference: estimate(3.25, 1.04, 12.6),
    }),
    `${START} is 20 % slower than Bun (h2) on s0 (10 to 30 % slower): 3.3 ms lost on average (1 to 13).`,
  );
});

test('ms have an interval on whichever side it lies, and are left out where failures leave none', () => {
  const msOf = (difference: Estimate | null) =>
    /slower\)(.*)\.$/.exec(
      sentenceOf('slower', { ratio: estimate(1.2, 1.1, 1.3), difference }),
    )?.[1];
  assert.equal(msOf(estimate(20, -5, 45)), ': 20 ms lost on average (45 lost to 5 saved)');
  assert.equal(msOf(estimate(20, 5, null)), ': 20 ms lost on average (5 lost or worse)');
  // Pages may differ in ms the other way round than in percent.
  assert.equal(msOf(estimate(-20, -30, -10)), ', but 20 ms saved on average (10 to 30)');
  assert.equal(msOf(null), '');
});

const NO_DIFFERENCES: TransportDifferences = { differing: [], unknown: [] };

test('what is the same is so within the margin, and one server program is said to be one', () => {
  const same = { ratio: estimate(1, 0.98, 1.03) };
  const told = `${START} and Bun (h2) are equally fast on these 4 pages within the margin of 5 % (2 % faster to 3 % slower).`;
  assert.equal(sentenceOf('same', same), told);
  assert.equal(
    sentenceOf('same', { ...same, transports: NO_DIFFERENCES }),
    `${told} Both are one server program that sends the same: HTTP/3 against HTTP/2.`,
  );
});

test('names what transports of one server program differ in, and what is not known of them', () => {
  const endOf = (transports: TransportDifferences) =>
    sentenceOf('faster', { transports }).split('HTTP/3 against HTTP/2. ')[1];
  const differing = ['window growth', 'pacing', 'response order'];
  assert.equal(
    endOf({ differing, unknown: [] }),
    'They also differ in window growth, pacing and response order.',
  );
  assert.equal(
    endOf({ differing: ['pacing'], unknown: ['window growth', 'response order'] }),
    'They also differ in pacing. Whether they differ in window growth or response order is not known.',
  );
});

test('what cannot be told says what is possible, and about how many repetitions would tell', () => {
  const ratio = estimate(Math.exp(0.05), Math.exp(-0.05), Math.exp(0.15));
  // The reach, 0.1, has to halve: four times 12 repetitions, 36 more.
  assert.equal(
    sentenceOf('cannot tell', { ratio, difference: estimate(5, -5, 15) }),
    `With no added delay, it cannot be told whether lsquic (h3) is faster or slower than Bun (h2) on these 4 pages: anything from 4.9 % faster to 16 % slower is possible. About 36 more repetitions would tell, if the estimate is the truth.`,
  );
  const far = sentenceOf('cannot tell', { ratio: estimate(1.026, 0.4, 2.6) });
  assert.match(far, /more than 1,000 further repetitions to tell/);
  assert.match(
    sentenceOf('cannot tell', { ratio: estimate(0.89, 0.76, 1.002) }),
    / is possible\. The difference itself, 61 ms saved on average \(39 to 83\), leaves out 0, but the verdict is about the ratio, in which every page counts alike\. About /,
  );
});

test('an interval with one limit says which, and promises nothing', () => {
  const sentence = sentenceOf('cannot tell', {
    ratio: estimate(1.02, 0.97, null),
    difference: estimate(2, -3, null),
    nFailed: { arm: 2, baseline: 0 },
  });
  assert.equal(
    sentence,
    'With no added delay, it cannot be told whether lsquic (h3) is faster or slower than Bun (h2) on these 4 pages: anything that is 3 % faster or worse is possible. Failures count as slower than all that ended: lsquic (h3) failed in 2 and Bun (h2) in 0 of 48 pairs of loads.',
  );
  assert.match(
    sentenceOf('slower', { ratio: estimate(1.2, 1.1, null), difference: null }),
    /is 20 % slower than Bun \(h2\) on these 4 pages \(10 % slower or worse\)\.$/,
  );
});

test('too few pairs are said to be, one of them in the singular, and none at all', () => {
  const few = { ratio: estimate(0.9, null, null), isTooFew: true };
  assert.match(
    sentenceOf('cannot tell', { ...few, nPairs: 5 }),
    /, it cannot be told whether .* on these 4 pages from 5 pairs of loads: every page needs 6\.$/,
  );
  assert.match(
    sentenceOf('cannot tell', { ...few, nPairs: 1 }),
    / from 1 pair of loads: every page needs 6/,
  );
  assert.equal(
    sentenceOf('cannot tell', { ...few, ratio: null, nPairs: 0, nSites: 1 }),
    'With no added delay, nothing can be said of lsquic (h3) and Bun (h2): there is no pair of loads to compare.',
  );
});

test('failures that leave no ratio, or no limit to either side, are the reason, and may be the answer', () => {
  const failing = { ratio: null, difference: null, nFailed: { arm: 20, baseline: 2 } };
  const failures = 'lsquic (h3) failed in 20 and Bun (h2) in 2 of 48 pairs of loads';
  assert.equal(
    sentenceOf('slower', failing),
    `${START} fails more often than Bun (h2) on these 4 pages: ${failures}, too many for a ratio.`,
  );
  assert.match(sentenceOf('faster', failing), /fails less often than/);
  assert.equal(
    sentenceOf('cannot tell', failing),
    `With no added delay, it cannot be told whether lsquic (h3) or Bun (h2) is faster on these 4 pages: ${failures}, too many for a ratio.`,
  );
  assert.equal(
    sentenceOf('cannot tell', { ...failing, ratio: estimate(1, null, null) }),
    `With no added delay, it cannot be told whether lsquic (h3) or Bun (h2) is faster on these 4 pages: ${failures}, too many for an interval of the ratio.`,
  );
});
