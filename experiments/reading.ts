import type { ConnectDetails } from '../ground/records/connection-attempt.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { ImportedTable, PlannedArm } from '../ground/records/run.ts';

/** What a row of a table says of an attempt; the rest of its record is the same for all rows of a file. */
export interface ReadRow
  extends Pick<
    Observation<ConnectDetails>,
    'subject' | 'factors' | 'block' | 'warmup' | 'outcome' | 'code' | 'message' | 'metrics'
  > {
  url: string;
  arm: PlannedArm;
  network: NetworkCondition;
  measuredRttMs: number | null;
  details: ConnectDetails;
  unixS: number;
  /** null: the file does not say; it is then taken for one and the same. */
  machine: string | null;
  /** null: rows are numbered. */
  id: string | null;
}

/** A table that others wrote, of which it is known what it is. */
export interface ReadTable {
  dialect: ImportedTable['dialect'];
  /** What verdicts on it are about. */
  metric: string;
  /** The arm that they compare with, where the table has it. */
  baseline: string;
  /** Its rows as attempts, in their order; each time from the beginning. */
  rows(): AsyncGenerator<ReadRow>;
}

/** How tables become attempts of an experiment, exported as `reading` by the file `read.ts` beside it, which the runner alone loads. */
export interface TableReader {
  /** @throws UsageError when the file is no table that the experiment can read */
  open(file: string): Promise<ReadTable>;
}
