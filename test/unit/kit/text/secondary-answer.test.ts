import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import { secondarySentence } from '../../../../kit/text/secondary-answer.ts';
import type { Told } from '../../../../kit/text/verdict.ts';

const ABOUT = {
  arm: { label: 'A' },
  baseline: { label: 'B' },
  metric: metricNamed(pageLoad, 'firstContentfulPaintMs'),
  marginPercent: 5,
  experiment: pageLoad,
};

const CLEAR: Told = {
  nPairs: 24,
  ratio: { estimate: 0.9, low: 0.85, high: 0.95 },
  difference: { estimate: -20, low: -30, high: -10 },
  verdict: 'faster',
  isTooFew: false,
};

test('an answer by a further metric says what is known, whatever is missing', () => {
  const of = (parts: Partial<Told>) => secondarySentence(ABOUT, { ...CLEAR, ...parts });
  const open = { estimate: 1, low: null, high: null };
  for (const [parts, sentence] of [
    [{}, /^In first contentful paint, A is 10 % faster than B \(5 to 15 % faster\): 20 ms saved/],
    [{ verdict: 'same' }, /the two are equally fast within the margin of 5 %/],
    [{ verdict: 'cannot tell' }, /it is undecided which .*: anything from 5 to 15 % faster is/],
    [{ nPairs: 0, ratio: null, verdict: 'cannot tell' }, /nothing can be said: no pair of loads/],
    [{ ratio: null, verdict: 'slower' }, /A is slower, as it fails more often/],
    [{ ratio: null, verdict: 'cannot tell' }, /too many loads failed for a ratio/],
    [{ ratio: open, isTooFew: true, verdict: 'cannot tell' }, /from 24 pairs .* needs 6/],
    [{ ratio: open, verdict: 'cannot tell' }, /too many loads failed for an interval/],
  ] as const) {
    assert.match(of(parts), sentence);
  }
});
