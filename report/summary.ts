import type { CalibrationRecord } from '../records/calibration.ts';
import type { AskedNetwork, NetworkRecord } from '../records/network.ts';
import type { Outcome, PageLoad, Protocol } from '../records/page-load.ts';
import { DamagedRunError } from '../records/read.ts';
import type { RunRecord } from '../records/run.ts';
import { askedOf, conditionKey, conditionsOf } from './condition.ts';
import { type Growth, growthOf } from './growth.ts';
import { METRICS } from './metrics/index.ts';
import { type NetworkSummary, networkSummaryOf } from './network-summary.ts';
import { type Overview, overviewOf } from './overview.ts';
import { type Description, describe } from './statistics/description.ts';
import { median } from './statistics/median.ts';

/** The version of summary.json that this code writes; results/README.md describes it. */
export const SUMMARY_FORMAT_VERSION = 1;

/** One site x network condition x stack. Warm-ups are in `nWarmup` and in nothing else. */
export interface SummaryRow {
  site: string;
  /** Where the page comes from, as a sentence. */
  source: string;
  stack: string;
  label: string;
  protocol: Protocol;
  /** As asked for; `measuredRttMs` is the median over the row's loads, null where none has one. */
  network: NetworkRecord;
  /** Loads that the statistics speak of: the same as `nOk`. */
  n: number;
  nPlanned: number;
  nOk: number;
  nFailed: number;
  nInvalid: number;
  /** Warm-ups made, whatever came of them. */
  nWarmup: number;
  /** Metric name to its statistics over the ok loads; a metric's n is smaller where a load lacks it. */
  timingsMs: Record<string, Description>;
}

/** Why loads were left out: one entry for each outcome and code. */
export interface LedgerEntry {
  outcome: Exclude<Outcome, 'ok'>;
  code: string;
  /** Loads left out of the statistics for this reason. */
  count: number;
  /** Warm-ups with this outcome and code; these would not have counted anyway. */
  warmupCount: number;
  /** The first such load, with its message. */
  example: { id: string; site: string; stack: string; message: string | null };
}

/** Planned against done. A further attempt at a load is not counted here. */
export interface Progress {
  plannedPageLoads: number;
  donePageLoads: number;
  plannedWarmups: number;
  doneWarmups: number;
  /** False when the run ended before its plan did. */
  complete: boolean;
}

/** What summary.json holds: every number that the report shows above the level of one load. */
export interface Summary {
  formatVersion: typeof SUMMARY_FORMAT_VERSION;
  runId: string;
  startedAt: string;
  seed: number;
  repetitions: number;
  progress: Progress;
  /** What the reader should know, as sentences. */
  warnings: string[];
  /** One for each network condition, in the plan's order. */
  networks: NetworkSummary[];
  /** Sites in the plan's order, within a site the conditions, within a condition the stacks. */
  rows: SummaryRow[];
  /** One for each network condition. */
  overview: Overview[];
  /** For conditions that differ in the delay alone; empty without such. */
  growth: Growth[];
  ledger: LedgerEntry[];
}

/**
 * Counts and describes the page loads of a run, and the path they went over; pure.
 * @throws DamagedRunError when a load or a calibration is of a site, stack, network condition or backend that the plan
 * does not have.
 */
export function summarise(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  calibrations: readonly CalibrationRecord[] = [],
  warnings: readonly string[] = [],
): Summary {
  assertOfThisRun(run, pageLoads, calibrations);
  const plannedOfCell = Map.groupBy(run.trials, cellKey);
  const loadsOfCell = Map.groupBy(pageLoads, cellKey);
  const rows: SummaryRow[] = [];
  for (const { site, source } of run.sites) {
    for (const network of run.networks) {
      for (const { stack, label, protocol } of run.stacks) {
        const key = cellKey({ site, stack, network });
        const planned = plannedOfCell.get(key);
        if (!planned) continue;
        const loads = loadsOfCell.get(key) ?? [];
        const measuredRttMs = median(loads.flatMap((load) => load.network.measuredRttMs ?? []));
        const counts = countsOf(loads);
        rows.push({
          site,
          source,
          stack,
          label,
          protocol,
          network: { ...askedOf(network), backend: run.backend, measuredRttMs },
          n: counts.nOk,
          nPlanned: planned.filter(({ warmup }) => !warmup).length,
          ...counts,
          timingsMs: timingsOf(loads),
        });
      }
    }
  }
  const progress = progressOf(run, pageLoads);
  const conditions = conditionsOf(rows);
  return {
    formatVersion: SUMMARY_FORMAT_VERSION,
    runId: run.runId,
    startedAt: run.startedAt,
    seed: run.seed,
    repetitions: run.repetitions,
    progress,
    warnings: [...warnings, ...warningsOf(progress)],
    networks: run.networks.map((network) =>
      networkSummaryOf(
        network,
        run.backend,
        calibrations.filter(({ asked }) => asked.condition === network.name),
        pageLoads.filter((load) => conditionKey(load.network) === conditionKey(network)),
      ),
    ),
    rows,
    overview: conditions.map((condition) => overviewOf(run, condition)),
    growth: growthOf(conditions),
    ledger: ledgerOf(pageLoads),
  };
}

/** The loads that the statistics of a cell speak of. */
export function isCounted(load: PageLoad): boolean {
  return load.outcome === 'ok' && !load.warmup;
}

/** Files of two runs, or paths of two kinds, must never meet in one comparison. */
function assertOfThisRun(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  calibrations: readonly CalibrationRecord[],
): void {
  const remedy = 'Put the files of the same run together.';
  const cells = new Set(run.trials.map(cellKey));
  for (const load of pageLoads) {
    const { id, site, stack, network } = load;
    if (!cells.has(cellKey(load))) {
      throw new DamagedRunError(
        `page-loads.jsonl has a load (${id}) of site ${site}, stack ${stack}, network ${network.name} (${network.rttMs} ms RTT), which run.json did not plan. ${remedy}`,
      );
    }
    if (network.backend !== run.backend) {
      throw new DamagedRunError(
        `page-loads.jsonl has a load (${id}) over the backend ${network.backend}, run.json has ${run.backend}. ${remedy}`,
      );
    }
  }
  for (const { asked, backend, measuredAt } of calibrations) {
    const planned = run.networks.find(({ name }) => name === asked.condition);
    if (planned?.rttMs !== asked.rttMs || backend !== run.backend) {
      throw new DamagedRunError(
        `calibrations.jsonl has a calibration (${measuredAt}) of network ${asked.condition} (${asked.rttMs} ms RTT, ${backend}), which run.json did not plan. ${remedy}`,
      );
    }
  }
}

function cellKey(cell: { site: string; stack: string; network: AskedNetwork }): string {
  return JSON.stringify([cell.site, cell.stack, conditionKey(cell.network)]);
}

function countsOf(loads: readonly PageLoad[]) {
  const counted = loads.filter((load) => !load.warmup);
  const ofOutcome = (outcome: Outcome) => counted.filter((load) => load.outcome === outcome).length;
  return {
    nOk: ofOutcome('ok'),
    nFailed: ofOutcome('failed'),
    nInvalid: ofOutcome('invalid'),
    nWarmup: loads.length - counted.length,
  };
}

function timingsOf(loads: readonly PageLoad[]): Record<string, Description> {
  const counted = loads.filter(isCounted);
  return Object.fromEntries(
    METRICS.map((metric) => [
      metric.name,
      describe(counted.map((load) => metric.of(load)).filter((value) => value !== null)),
    ]),
  );
}

function progressOf(run: RunRecord, pageLoads: readonly PageLoad[]): Progress {
  const plannedWarmups = run.trials.filter((trial) => trial.warmup).length;
  const firstAttempts = pageLoads.filter((load) => load.attempt <= 1);
  const doneWarmups = firstAttempts.filter((load) => load.warmup).length;
  const plannedPageLoads = run.trials.length - plannedWarmups;
  const donePageLoads = firstAttempts.length - doneWarmups;
  return {
    plannedPageLoads,
    donePageLoads,
    plannedWarmups,
    doneWarmups,
    complete: donePageLoads >= plannedPageLoads && doneWarmups >= plannedWarmups,
  };
}

function warningsOf(progress: Progress): string[] {
  if (progress.complete) return [];
  const { plannedPageLoads, donePageLoads, plannedWarmups, doneWarmups } = progress;
  return [
    `The run ended before its plan did: ${donePageLoads} of ${plannedPageLoads} page loads and ${doneWarmups} of ${plannedWarmups} warm-ups were made. Sites and stacks may have unequal numbers of loads.`,
  ];
}

/** Failed before invalid, then the most frequent reason first. */
function ledgerOf(pageLoads: readonly PageLoad[]): LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const load of pageLoads) {
    if (load.outcome === 'ok') continue;
    const code = load.code ?? 'unknown';
    const key = JSON.stringify([load.outcome, code]);
    const { id, site, stack, message } = load;
    const entry = entries.get(key) ?? {
      outcome: load.outcome,
      code,
      count: 0,
      warmupCount: 0,
      example: { id, site, stack, message },
    };
    if (load.warmup) entry.warmupCount += 1;
    else entry.count += 1;
    entries.set(key, entry);
  }
  return [...entries.values()].sort(
    (a, b) =>
      compare(a.outcome, b.outcome) ||
      b.count - a.count ||
      b.warmupCount - a.warmupCount ||
      compare(a.code, b.code),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
