import type { AskedNetwork } from '../records/network.ts';
import type { VisitKind } from '../records/page-load.ts';
import type { PlannedStack } from '../records/run.ts';
import { type ConditionRows, conditionText, rowsBySite } from './condition.ts';
import type { VerdictMetric } from './metrics/verdict-metric.ts';
import { mediansOf, type ProcessorUse } from './processor.ts';
import { median } from './statistics/median.ts';
import type { SummaryRow } from './summary-row.ts';

/** One condition over all its sites: medians only; the comparisons are in `primary`. */
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
  /** The median over the sites of each site's median of the metric of verdicts; null without sites. */
  medianOfSiteMediansMs: number | null;
  /** The same of what its loads took of the processor. */
  processor: ProcessorUse;
}

/** Sets the stacks of one condition side by side, controls apart. */
export function overviewOf(
  plannedStacks: readonly PlannedStack[],
  { condition, visit, rows }: ConditionRows,
  metric: VerdictMetric,
): Overview {
  const stacks = plannedStacks.filter(
    ({ stack, controlOf }) => controlOf === null && rows.some((row) => row.stack === stack),
  );
  const sites = [...rowsBySite(rows).values()]
    .map((siteRows) => new Map(siteRows.map((row) => [row.stack, row])))
    .filter((site) => stacks.every(({ stack }) => medianOf(site.get(stack), metric) !== null));
  return {
    network: { ...condition },
    visit,
    conditionText: conditionText(condition, visit),
    nSites: sites.length,
    stacks: stacks.map(({ stack, label }) => ({
      stack,
      label,
      n: sites.reduce((sum, site) => sum + (site.get(stack)?.n ?? 0), 0),
      medianOfSiteMediansMs: median(
        sites.flatMap((site) => medianOf(site.get(stack), metric) ?? []),
      ),
      processor: mediansOf(sites.flatMap((site) => site.get(stack)?.processor ?? [])),
    })),
  };
}

function medianOf(row: SummaryRow | undefined, { name }: VerdictMetric): number | null {
  return row?.metrics[name].median ?? null;
}
