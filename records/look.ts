import type { RECORD_FORMAT_VERSION, VisitKind } from './page-load.ts';

/** Why a run begins no further block. told: every primary answer has its verdict; the others: its budget or its plan is used up. */
export type EndOfLooks = 'told' | 'budget' | 'repetitions';

/**
 * One look at a run whose repetitions stop by a rule: one line of looks.jsonl, written before the next round begins. What was told at
 * it follows from the loads up to then and the looks before.
 */
export interface LookRecord {
  formatVersion: typeof RECORD_FORMAT_VERSION;
  /** The sitting that looked. */
  sitting: string;
  /** ISO 8601, UTC. */
  at: string;
  /** It saw the loads up to this number in the order run. */
  order: number;
  /** What the run had taken of its budget by then, over all sittings, in ms. */
  elapsedMs: number;
  /** How much of the error might have been spent by then, 0 to 1. */
  fraction: number;
  /** Conditions of which every primary answer is told: no further block of them is begun. */
  told: { network: string; visit: VisitKind }[];
  /** null: the run goes on. */
  end: EndOfLooks | null;
}
