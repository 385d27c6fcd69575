import type { ConnectDetails } from '../ground/records/connection-attempt.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { ImportedTable, PlannedArm } from '../ground/records/run.ts';

/** The fields of an attempt that rows of a table decide; the rest of its record is the same for all rows. */
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
  /** null: not in the file; all rows then count as one machine. */
  machine: string | null;
  /** null: the reader numbers the rows. */
  id: string | null;
}

/** An imported table. */
export interface ReadTable {
  dialect: ImportedTable['dialect'];
  /** The metric of its verdicts. */
  metric: string;
  /** The arm with which verdicts compare, if the table has it. */
  baseline: string;
  /** Its rows as attempts, in order; each call reads the file anew. */
  rows(): AsyncGenerator<ReadRow>;
}

/** Reads tables as attempts of an experiment: `reading` of its `read.ts`, which only the runner loads. */
export interface TableReader {
  /** @throws UsageError if the experiment cannot read the file */
  open(file: string): Promise<ReadTable>;
}
