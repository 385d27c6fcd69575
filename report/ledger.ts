import type { Outcome } from '../records/page-load.ts';

/** Everything that is not in a statistic, or is there with a mark, and why. */
export interface Ledger {
  /** Failed before invalid, then the most frequent reason first. */
  entries: LedgerEntry[];
  blocks: BlockCounts;
  /** Ok loads left out because their block is not whole. */
  nExcluded: number;
  excludedByStack: Record<string, number>;
  disturbed: DisturbedLoads;
}

/** Why loads were left out: one entry for each outcome and code. */
export interface LedgerEntry {
  outcome: Exclude<Outcome, 'ok'>;
  code: string;
  /** Loads left out of the statistics for this reason. */
  count: number;
  /** The same count by stack; stacks without any are left out. */
  countByStack: Record<string, number>;
  /** Warm-ups with this outcome and code; these would not have counted anyway. */
  warmupCount: number;
  /** The first such load, with its message. */
  example: { id: string; site: string; stack: string; message: string | null };
}

/** A block is whole when every load that was planned in it is there and ok. */
export interface BlockCounts {
  nPlanned: number;
  /** In the statistics. */
  nWhole: number;
  /** Left out: with a load that failed, was invalid or is missing. */
  nBroken: number;
  /** Of which not one load was made. */
  nNotMade: number;
}

/** Loads that were made while the machine was not quiet: marked and kept. Warm-ups are not among them. */
export interface DisturbedLoads {
  nLoads: number;
  /** Of these, in the statistics. */
  nCounted: number;
  countByStack: Record<string, number>;
  /** The first few, with their sentences. */
  examples: { id: string; site: string; stack: string; reason: string }[];
}
