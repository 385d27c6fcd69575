import type { LadderRung } from '../../records/ladder.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { AnalysisPlan } from '../../records/run.ts';
import type { Change } from '../text/change.ts';
import type { Estimate } from '../text/estimate.ts';
import type { Verdict } from '../text/verdict.ts';
import type { PublishedClaim } from './published-claim.ts';

/** The version of ladder-summary.json that this code writes; report/schemas/ladder-summary.schema.json describes it. */
export const LADDER_SUMMARY_FORMAT_VERSION = 2;

/** What ladder-summary.json holds. Ratios are QUIC / HTTPS, changes a rung's ratio / that of the rung before. */
export interface LadderSummary {
  formatVersion: typeof LADDER_SUMMARY_FORMAT_VERSION;
  startedAt: string;
  command: string[];
  /** What the reader should know, as sentences. */
  warnings: string[];
  /** Names of the sites, in their order; empty: no rung was measured. */
  subjects: string[];
  /** The same on every rung; null: no rung was measured. */
  network: AskedNetwork | null;
  /** Changes that surely lie within so many percent of 1 are none. */
  marginPercent: number;
  published: PublishedClaim;
  rungs: RungSummary[];
  /** The last rung's ratio / the first's; null: one of them was not measured. */
  whole: Estimate | null;
  /** What came out, as sentences. */
  sentences: string[];
}

/** A rung with what its run says. */
export interface RungSummary extends LadderRung {
  /** interrupted: its run ended before its plan did, and is not used. */
  state: 'measured' | 'interrupted' | 'not measured';
  /** null: not measured. */
  result: RungResult | null;
  /** Against the rung before; null: one of the two was not measured, or there is none. */
  ratioChange: Estimate | null;
  changeVerdict: Change | null;
}

/** What the run of a rung says. */
export interface RungResult {
  runId: string;
  /** What is timed. */
  metric: AnalysisPlan['metric'];
  variant: string;
  /** shuffled: pairs are loads of one block; sequential: loads with the same number. */
  order: 'shuffled' | 'sequential';
  arm: string;
  label: string;
  baseline: string;
  baselineLabel: string;
  nSites: number;
  nPairs: number;
  /** Planned. */
  nPairsPlanned: number;
  /** Geometric mean over the sites of their ratios, as in the run's own report. */
  ratio: Estimate | null;
  /** Median over the sites of their ratios. */
  medianOfSites: number | null;
  verdict: Verdict;
  /** The run's own answer. */
  sentence: string;
  subjects: RungSite[];
}

/** One site on one rung. */
export interface RungSite {
  subject: string;
  nPairs: number;
  ratio: Estimate | null;
}
