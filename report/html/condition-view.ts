import type { AskedNetwork } from '../../records/network.ts';
import type { PageLoad, VisitKind } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { type Block, blocksOf, countedLoadIds } from '../analysis/blocks.ts';
import type { Comparison, PrimaryAnswer } from '../analysis/comparison.ts';
import type { ChartStack } from '../charts/chart-stack.ts';
import type { KeptHars } from '../kept-hars.ts';
import { type VerdictMetric, verdictMetric } from '../metrics/verdict-metric.ts';
import type { Overview } from '../overview.ts';
import type { Summary } from '../summary.ts';
import type { SummaryRow } from '../summary-row.ts';

/** Everything of one condition (network and visit) that the page shows, controls left out. */
export interface ConditionView {
  /** Place among the conditions, from 1; part of ids on the page. */
  place: number;
  network: AskedNetwork;
  visit: VisitKind;
  /** The condition's numbers in words. */
  text: string;
  rows: SummaryRow[];
  comparisons: Comparison[];
  primary: PrimaryAnswer[];
  /** Medians over the sites. */
  overview: Overview;
  /** Every load that is no warm-up, in the order run; `counted` tells which are in the statistics. */
  loads: PageLoad[];
}

/** What all parts of the page are made of. */
export interface ReportView {
  run: RunRecord;
  summary: Summary;
  /** Every stack of the plan but the controls. */
  stacks: ChartStack[];
  /** The same without the baseline. */
  compared: ChartStack[];
  baseline: ChartStack;
  /** What verdicts, tables and charts are about. */
  metric: VerdictMetric;
  conditions: ConditionView[];
  pageLoads: readonly PageLoad[];
  /** By `siteConditionKey`, in the order of the plan. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  /** Ids of the loads that the statistics speak of. */
  counted: ReadonlySet<string>;
  /** The HARs that are there, where not all were kept. */
  kept: KeptHars;
}

/** Puts a run's records and its summary in the order of the page; pure. */
export function reportView(
  run: RunRecord,
  summary: Summary,
  pageLoads: readonly PageLoad[],
  kept: KeptHars = null,
): ReportView {
  const stacks = run.stacks.flatMap(({ stack, label, controlOf }, place): ChartStack[] =>
    controlOf === null ? [{ stack, label, place }] : [],
  );
  const { baseline } = summary.analysis;
  const loadsOf = Map.groupBy(
    pageLoads.filter(({ warmup }) => !warmup).toSorted((a, b) => a.order - b.order),
    ({ network, visit }) => conditionKey(network.name, visit),
  );
  return {
    run,
    summary,
    stacks,
    compared: stacks.filter(({ stack }) => stack !== baseline),
    baseline: stacks.find(({ stack }) => stack === baseline) ?? {
      stack: baseline,
      label: baseline,
      place: 0,
    },
    metric: verdictMetric(summary.analysis),
    conditions: summary.overview.map((overview, index) => {
      const { network, visit, conditionText } = overview;
      const isOfThis = (other: { network: string; visit: VisitKind }) =>
        other.network === network.name && other.visit === visit;
      return {
        place: index + 1,
        network,
        visit,
        text: conditionText,
        rows: summary.rows.filter(
          (row) =>
            row.controlOf === null && isOfThis({ network: row.network.name, visit: row.visit }),
        ),
        comparisons: summary.comparisons.filter(isOfThis),
        primary: summary.primary.filter(isOfThis),
        overview,
        loads: loadsOf.get(conditionKey(network.name, visit)) ?? [],
      };
    }),
    pageLoads,
    blocks: blocksOf(run, pageLoads, summary.machines),
    counted: countedLoadIds(run, pageLoads, summary.machines),
    kept,
  };
}

function conditionKey(network: string, visit: VisitKind): string {
  return JSON.stringify([network, visit]);
}

/** The label of a stack of the run, controls included. */
export function labelOf({ run }: Pick<ReportView, 'run'>, name: string): string {
  return run.stacks.find(({ stack }) => stack === name)?.label ?? name;
}

/** The rows of each site, in the order of the plan. */
export function rowsBySite({ rows }: ConditionView): Map<string, SummaryRow[]> {
  return Map.groupBy(rows, ({ site }) => site);
}
