import { medianLoad } from '../records/median-load.ts';
import type { Outcome, PageLoad } from '../records/page-load.ts';
import type { RunRecord } from '../records/run.ts';
import type { Block } from './analysis/blocks.ts';
import { cellKey } from './analysis/cell.ts';
import type { BackendUsed } from './analysis/machines.ts';
import { askedOf } from './condition.ts';
import { metricSummariesOf } from './metric-summary.ts';
import type { VerdictMetric } from './metrics/verdict-metric.ts';
import { pathUseOf } from './path-use.ts';
import { processorUseOf } from './processor.ts';
import { deviationsFromMedian } from './statistics/mad.ts';
import { median } from './statistics/median.ts';
import type { SummaryRow } from './summary-row.ts';

/** Further off than so many scaled median absolute deviations, a load is flagged; a common choice (Iglewicz and Hoaglin 1993). */
const OUTLIER_DEVIATIONS = 3.5;

/** Sites in the plan's order, within a site the networks, then the visits, then the stacks; only what was planned. */
export function summaryRowsOf(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  blocks: ReadonlyMap<string, readonly Block[]>,
  { metric, backend }: { metric: VerdictMetric; backend: BackendUsed },
): SummaryRow[] {
  const plannedOfCell = Map.groupBy(run.trials, cellKey);
  const loadsOfCell = Map.groupBy(pageLoads, cellKey);
  const countedLoads = new Set(
    [...blocks.values()].flat().flatMap(({ loads }) => [...loads.values()]),
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
            network: { ...askedOf(network), backend, measuredRttMs },
            visit,
            n: counted.length,
            nPlanned: planned.filter(({ warmup }) => !warmup).length,
            ...counts,
            nExcluded: counts.nOk - counted.length,
            nDisturbed: counted.filter(({ disturbed }) => disturbed !== null).length,
            metrics: metricSummariesOf(counted),
            processor: processorUseOf(counted),
            path: pathUseOf(counted),
            ...standingOut(counted, metric),
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

function standingOut(
  counted: readonly PageLoad[],
  metric: VerdictMetric,
): Pick<SummaryRow, 'outliers' | 'loads'> {
  const timed = counted.flatMap((load) => {
    const { value } = metric.of(load);
    return value === null ? [] : [{ id: load.id, value }];
  });
  const deviations = deviationsFromMedian(timed.map(({ value }) => value));
  const sorted = timed.toSorted((a, b) => a.value - b.value);
  const [fastest, slowest] = [sorted.at(0), sorted.at(-1)];
  const middle = medianLoad(timed);
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
