import type { NetworkBackend } from './network.ts';
import type { RECORD_FORMAT_VERSION } from './page-load.ts';
import type { HostFacts } from './run.ts';

/**
 * One go at a run on one machine: its start, or a later one that went on with it, or a machine's part of a campaign. One
 * line of sittings.jsonl, written before the first load of the sitting.
 */
export interface SittingRecord {
  formatVersion: typeof RECORD_FORMAT_VERSION;
  /** Unique in the run, also after merging. */
  id: string;
  /** Name of the machine: loads of different machines are never compared. */
  machine: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** The options as given by the user. */
  command: string[];
  /** Which part of the plan it was to do: `shard 2/4`, `queue`; null: all that was left of it. */
  part: string | null;
  host: HostFacts;
  /** Program name to version. */
  versions: Record<string, string>;
  backend: NetworkBackend;
  /** What is not as it was when the run began, as sentences: the user chose to go on regardless. */
  differences: string[];
}
