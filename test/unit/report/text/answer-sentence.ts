import type { StackProperty } from '../../../../ground/records/stack-readings.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import type { PrimaryAnswer } from '../../../../report/summary/comparison.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { answerText } from '../../../../report/text/answers.ts';
import { fixtureRun, NONE } from '../fixture-run.ts';

interface Changes extends Partial<PrimaryAnswer> {
  /** Properties of the transports of one program; absent: two programs. */
  transports?: { differing: readonly StackProperty[]; unknown: readonly StackProperty[] };
  experiment?: string;
  metric?: string;
}

export const estimate = (middle: number, low: number | null, high: number | null): Estimate => ({
  estimate: middle,
  low,
  high,
});

/** The text of an answer about four sites with 48 pairs. */
export function sentenceOf(verdict: Verdict, changes: Changes = {}): string {
  const { transports, nSites = 4, experiment = 'page-load', metric, ...numbers } = changes;
  const subjects = Array.from({ length: nSites }, (_, index) => `s${index}`);
  const summary = summarise(fixtureRun({ subjects, networks: [NONE], repetitions: 1 }).run, []);
  const [answer] = summary.primary;
  if (!answer) throw new Error('The run has no question.');
  const property = (name: StackProperty, verdict: 'equal' | 'differs' | 'unknown') => ({
    ...{ property: name, label: name, verdict, a: null, b: null, decides: true, note: '' },
  });
  const properties = transports && [
    property('serverProgram', 'equal'),
    ...transports.differing.map((name) => property(name, 'differs')),
    ...transports.unknown.map((name) => property(name, 'unknown')),
  ];
  const { arm, baseline, network, variant } = answer;
  const conditions = [{ network, variant, sentence: '' }];
  return answerText(
    {
      ...answer,
      nSites,
      nPairs: 48,
      nFailed: { arm: 0, baseline: 0 },
      verdict,
      excludedSites: [],
      ratio: estimate(0.9, 0.85, 0.95),
      difference: estimate(-61, -83.4, -39.2),
      ...numbers,
    },
    {
      ...summary,
      experiment,
      analysis: { ...summary.analysis, ...(metric !== undefined && { metric }) },
      fairness: properties
        ? [{ a: arm, b: baseline, verdicts: [{ conditions, likeForLike: 'no', properties }] }]
        : [],
    },
  );
}
