import type { VisitKind } from '../../records/page-load.ts';
import type { Estimate } from './comparison.ts';

/**
 * How page load times grow with the round-trip time, over conditions that differ in nothing else. With two round-trip
 * times the line goes through both points, so nothing tells whether it is one.
 */
export interface Sweep {
  visit: VisitKind;
  /** In the order of their delay. */
  networks: SweptNetwork[];
  /** Sites in the plan's order, within a site the stacks. */
  rows: SweepRow[];
  /** One for each stack, over the sites that have a line on every stack. */
  overSites: SweepOverSites[];
  /** Every pair of stacks, over the same sites. */
  crossovers: StackCrossover[];
}

export interface SweptNetwork {
  name: string;
  /** As asked for. */
  rttMs: number;
  /** Median of the round trips measured, on which the lines are based; null: rttMs took its place. */
  measuredRttMs: number | null;
}

export interface SweepRow {
  site: string;
  stack: string;
  label: string;
  /** Median page load time at each network; null without loads. */
  mediansMs: (number | null)[];
  /** The line through the medians; null with fewer than two of them. */
  line: SweepLine | null;
}

/** Page load time = interceptMs + roundTrips x round-trip time; intervals from resampled loads. */
export interface SweepLine {
  /** ms per ms of round-trip time: about the number of round trips waited for one after the other. */
  roundTrips: Estimate;
  interceptMs: Estimate;
}

export interface SweepOverSites {
  stack: string;
  label: string;
  nSites: number;
  /** Median over the sites of their medians, one for each network. */
  mediansMs: (number | null)[];
  /** Median over the sites of each number of their lines, without an interval. */
  roundTrips: number | null;
  interceptMs: number | null;
}

/** The round-trip time at which two stacks' lines over the sites meet. */
export interface StackCrossover {
  first: string;
  second: string;
  nSites: number;
  /** Null with the reason in the sentence: the lines are parallel, or meet where nothing was measured. */
  rttMs: number | null;
  /** What that means, as a sentence with the labels of the stacks. */
  sentence: string;
}
