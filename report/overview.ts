import type { AskedNetwork } from '../records/network.ts';
import type { VisitKind } from '../records/page-load.ts';

/** One condition over all its sites: medians only; the comparisons are in `pooled`. */
export interface Overview {
  network: AskedNetwork;
  visit: VisitKind;
  /** The condition in words: the network's numbers, and the visit where it is not cold. */
  conditionText: string;
  /** Sites with at least one counted load on every stack: only these are in the numbers below. */
  nSites: number;
  stacks: StackOverview[];
}

export interface StackOverview {
  stack: string;
  label: string;
  /** Counted loads over those sites. */
  n: number;
  /** The median over the sites of each site's median page load time; null without sites. */
  medianOfSiteMediansMs: number | null;
}
