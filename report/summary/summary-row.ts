import type { NetworkRecord } from '../../records/network.ts';
import type { Protocol } from '../../records/protocol.ts';
import type { BackendUsed } from './machines.ts';
import type { MetricSummary } from './metrics.ts';
import type { PathUse } from './path-use.ts';
import type { ProcessorUse } from './use.ts';

/** One site x network condition x visit x stack. Warm-ups are in `nWarmup` and in nothing else. */
export interface SummaryRow {
  subject: string;
  /** Where the page comes from, as a sentence. */
  source: string;
  arm: string;
  label: string;
  protocol: Protocol;
  /** The stack that this one repeats in the control; null: it is no control. */
  controlOf: string | null;
  /** As asked for; `measuredRttMs` is the median over the row's loads, null where none has one. */
  network: Omit<NetworkRecord, 'backend'> & { backend: BackendUsed };
  variant: string;
  /** Loads that the statistics speak of: nOk - nExcluded. */
  n: number;
  nPlanned: number;
  nOk: number;
  nFailed: number;
  nInvalid: number;
  /** Ok loads left out because another load of their block is not ok or is missing. */
  nExcluded: number;
  /** Of the n loads, those that were made while the machine was not quiet. */
  nDisturbed: number;
  /** Warm-ups made, whatever came of them. */
  nWarmup: number;
  metrics: Record<string, MetricSummary>;
  /** Over the n loads. */
  processor: ProcessorUse;
  /** Over the n loads. */
  path: PathUse;
  /** Ids of counted loads whose time (that of verdicts) lies more than 3.5 scaled median absolute deviations off: kept, only flagged. */
  outliers: string[];
  /** Ids of the counted loads that show the row best; null without loads. */
  loads: { fastest: string; median: string; slowest: string } | null;
}
