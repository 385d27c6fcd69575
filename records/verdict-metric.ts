import type { AnalysisPlan } from './run.ts';

/** What verdicts can be about: the word of --metric, to what records call it. */
export const VERDICT_METRICS = {
  'page-load': 'pageLoad',
  document: 'documentTime',
} as const satisfies Record<string, AnalysisPlan['metric']>;

/** What --metric takes. */
export type VerdictMetricWord = keyof typeof VERDICT_METRICS;
