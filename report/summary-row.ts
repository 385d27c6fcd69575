import type { NetworkRecord } from '../records/network.ts';
import type { Outcome, PageLoad, Protocol, VisitKind } from '../records/page-load.ts';
import type { RunRecord } from '../records/run.ts';
import type { Block } from './analysis/blocks.ts';
import { cellKey } from './analysis/cell.ts';
import { askedOf } from './condition.ts';
import { type MetricSummary, metricSummariesOf } from './metric-summary.ts';
import type { MetricName } from './metrics/metric.ts';
import { pageLoadTime } from './metrics/page-load-time.ts';
import { deviationsFromMedian } from './statistics/mad.ts';
import { median } from './statistics/median.ts';

/** One site x network condition x visit x stack. Warm-ups are in `nWarmup` and in nothing else. */
export interface SummaryRow {
  site: string;
  /** Where the page comes from, as a sentence. */
  source: string;
  stack: string;
  label: string;
  protocol: Protocol;
  /** The stack that this one repeats in the control; null: it is no control. */
  controlOf: string | null;
  /** As asked for; `measuredRttMs` is the median over the row's loads, null where none has one. */
  network: NetworkRecord;
  visit: VisitKind;
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
  metrics: Record<MetricName, MetricSummary>;
  /** Ids of counted loads whose page load time lies more than 3.5 scaled median absolute deviations off: kept, only flagged. */
  outliers: string[];
  /** Ids of the counted loads that show the row best; null without loads. */
  loads: { fastest: string; median: string; slowest: string } | null;
}

/** Further off than so many scaled median absolute deviations, a load is flagged; a common choice (Iglewicz and Hoaglin 1993). */
const OUTLIER_DEVIATIONS = 3.5;

/** Sites in the plan's order, within a site the networks, then the visits, then the stacks; only what was planned. */
export function summaryRowsOf(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  blocks: ReadonlyMap<string, readonly Block[]>,
): SummaryRow[] {
  const plannedOfCell = Map.groupBy(run.trials, cellKey);
  const loadsOfCell = Map.groupBy(pageLoads, cellKey);
  const countedLoads = new Set(
    [...blocks.values()].flat().flatMap(({ loads }) => [...(loads?.values() ?? [])]),
  );
  const rows: SummaryRow[] = [];
  for (const { site, source } of run.sites) {
    for (const network of run.networks) {
      for (const visit of run.visits) {
        for (const { stack, label, protocol, controlOf } of run.stacks) {
          const key = cellKey({ site, network, visit, stack });
          const planned = plannedOfCell.get(key);
          if (!planned) continue;
          const made = loadsOfCell.get(key) ?? [];
          const counted = made.filter((load) => countedLoads.has(load));
          const measuredRttMs = median(made.flatMap((load) => load.network.measuredRttMs ?? []));
          const counts = countsOf(made);
          rows.push({
            site,
            source,
            stack,
            label,
            protocol,
            controlOf,
            network: { ...askedOf(network), backend: run.backend, measuredRttMs },
            visit,
            n: counted.length,
            nPlanned: planned.filter(({ warmup }) => !warmup).length,
            ...counts,
            nExcluded: counts.nOk - counted.length,
            nDisturbed: counted.filter(({ disturbed }) => disturbed !== null).length,
            metrics: metricSummariesOf(counted),
            ...standingOut(counted),
          });
        }
      }
    }
  }
  return rows;
}

function countsOf(made: readonly PageLoad[]) {
  const measured = made.filter((load) => !load.warmup);
  const ofOutcome = (outcome: Outcome) =>
    measured.filter((load) => load.outcome === outcome).length;
  return {
    nOk: ofOutcome('ok'),
    nFailed: ofOutcome('failed'),
    nInvalid: ofOutcome('invalid'),
    nWarmup: made.length - measured.length,
  };
}

function standingOut(counted: readonly PageLoad[]): Pick<SummaryRow, 'outliers' | 'loads'> {
  const timed = counted.flatMap((load) => {
    const { value } = pageLoadTime.of(load);
    return value === null ? [] : [{ id: load.id, value }];
  });
  const deviations = deviationsFromMedian(timed.map(({ value }) => value));
  const sorted = timed.toSorted((a, b) => a.value - b.value);
  const [fastest, slowest] = [sorted.at(0), sorted.at(-1)];
  // Of two loads in the middle the faster one: a load that was made, not a mean of two.
  const middle = sorted.at(Math.floor((sorted.length - 1) / 2));
  return {
    outliers: timed.flatMap(({ id }, index) =>
      Math.abs(deviations[index] ?? 0) > OUTLIER_DEVIATIONS ? [id] : [],
    ),
    loads:
      fastest && middle && slowest
        ? { fastest: fastest.id, median: middle.id, slowest: slowest.id }
        : null,
  };
}
