import assert from 'node:assert/strict';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import type { TransportDifferences } from '../../../../ground/records/like-for-like.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import { answerSentence } from '../../../../report/text/answer.ts';
import { fixtureRun, NONE } from '../fixture-run.ts';

const [STACK, BASELINE] = fixtureRun({ repetitions: 1 }).run.arms;

type Changes = Partial<Parameters<typeof answerSentence>[1]> & {
  transports?: TransportDifferences | null;
};

export const estimate = (middle: number, low: number | null, high: number | null): Estimate => ({
  estimate: middle,
  low,
  high,
});

/** What is said of four sites with 48 pairs. */
export function sentenceOf(
  verdict: Verdict,
  changes: Changes = {},
  measured: Pick<Parameters<typeof answerSentence>[2], 'metric' | 'experiment'> = {
    metric: metricNamed(pageLoad, 'pageLoadMs'),
    experiment: pageLoad,
  },
): string {
  assert.ok(STACK && BASELINE);
  const { transports = null, nSites = 4, ...numbers } = changes;
  const subjects = Array.from({ length: nSites }, (_, index) => ({
    subject: `s${index}`,
    blocks: [],
  }));
  return answerSentence(
    {
      arm: STACK,
      baseline: BASELINE,
      network: NONE,
      variant: 'cold',
      transports,
      subjects,
    },
    {
      nSites,
      nPairs: 48,
      nFailed: { arm: 0, baseline: 0 },
      verdict,
      isTooFew: false,
      ratio: estimate(0.9, 0.85, 0.95),
      difference: estimate(-61, -83.4, -39.2),
      ...numbers,
    },
    { marginPercent: 5, ...measured },
  );
}
