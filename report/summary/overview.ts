import type { Metric } from '../../experiments/experiment.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { PlannedArm } from '../../records/run.ts';
import { median } from '../../statistics/median.ts';
import { conditionText } from '../text/condition.ts';
import { type ConditionRows, rowsBySite, type SummaryRow } from './rows.ts';
import { mediansOf, type ProcessorUse } from './use.ts';

/** One condition over all its sites: medians only; the comparisons are in `primary`. */
export interface Overview {
  network: AskedNetwork;
  variant: string;
  /** The condition in words: the network's numbers, and the visit where it is not cold. */
  conditionText: string;
  /** Sites with at least one counted load on every stack: only these are in the numbers below. */
  nSites: number;
  arms: StackOverview[];
}

export interface StackOverview {
  arm: string;
  label: string;
  /** Counted loads over those sites. */
  n: number;
  /** The median over the sites of each site's median of the metric of verdicts; null without sites. */
  medianOfSiteMediansMs: number | null;
  /** The same of what its loads took of the processor. */
  processor: ProcessorUse;
}

/** Sets the stacks of one condition side by side, controls apart. */
export function overviewOf(
  plannedStacks: readonly PlannedArm[],
  { condition, variant, rows }: ConditionRows,
  metric: Metric,
): Overview {
  const arms = plannedStacks.filter(
    ({ arm, controlOf }) => controlOf === null && rows.some((row) => row.arm === arm),
  );
  const subjects = [...rowsBySite(rows).values()]
    .map((siteRows) => new Map(siteRows.map((row) => [row.arm, row])))
    .filter((subject) => arms.every(({ arm }) => medianOf(subject.get(arm), metric) !== null));
  return {
    network: { ...condition },
    variant,
    conditionText: conditionText(condition, variant),
    nSites: subjects.length,
    arms: arms.map(({ arm, label }) => ({
      arm,
      label,
      n: subjects.reduce((sum, subject) => sum + (subject.get(arm)?.n ?? 0), 0),
      medianOfSiteMediansMs: median(
        subjects.flatMap((subject) => medianOf(subject.get(arm), metric) ?? []),
      ),
      processor: mediansOf(subjects.flatMap((subject) => subject.get(arm)?.processor ?? [])),
    })),
  };
}

function medianOf(row: SummaryRow | undefined, { name }: Metric): number | null {
  return row?.metrics[name]?.median ?? null;
}
