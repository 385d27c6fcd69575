import type { Outcome, PageLoad, Protocol } from '../records/page-load.ts';
import { DamagedRunError } from '../records/read.ts';
import type { RunRecord } from '../records/run.ts';
import { type Condition, conditionKey, conditionsOf } from './condition.ts';
import { METRICS } from './metrics/index.ts';
import { type Overview, overviewOf } from './overview.ts';
import { type Description, describe } from './statistics/description.ts';

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
  /** As asked for; `backend` is null where no load was made. */
  network: Condition & { backend: string | null };
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
  /** Sites in the plan's order, within a site the conditions, within a condition the stacks. */
  rows: SummaryRow[];
  /** One for each network condition. */
  overview: Overview[];
  ledger: LedgerEntry[];
}

/**
 * Counts and describes the page loads of a run; pure.
 * @throws DamagedRunError when a load is of a site, stack or network condition that the plan does not have.
 */
export function summarise(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  warnings: readonly string[] = [],
): Summary {
  const loadsOfCell = new Map<string, PageLoad[]>();
  const plannedOfCell = new Map<string, number>();
  const conditions = new Map<string, Condition>();
  for (const trial of run.trials) {
    conditions.set(conditionKey(trial.network), trial.network);
    const key = cellKey(trial);
    if (!loadsOfCell.has(key)) loadsOfCell.set(key, []);
    if (!trial.warmup) plannedOfCell.set(key, (plannedOfCell.get(key) ?? 0) + 1);
  }
  for (const load of pageLoads) {
    const loads = loadsOfCell.get(cellKey(load));
    if (!loads) {
      throw new DamagedRunError(
        `page-loads.jsonl has a load (${load.id}) of site ${load.site}, stack ${load.stack}, ${load.network.rttMs} ms RTT, which run.json did not plan. Put the two files of the same run together.`,
      );
    }
    loads.push(load);
  }

  const rows: SummaryRow[] = [];
  for (const { site, source } of run.sites) {
    for (const condition of conditions.values()) {
      for (const { stack, label, protocol } of run.stacks) {
        const key = cellKey({ site, stack, network: condition });
        const loads = loadsOfCell.get(key);
        if (!loads) continue;
        const counts = countsOf(loads);
        rows.push({
          site,
          source,
          stack,
          label,
          protocol,
          network: { ...numbersOf(condition), backend: loads[0]?.network.backend ?? null },
          n: counts.nOk,
          nPlanned: plannedOfCell.get(key) ?? 0,
          ...counts,
          timingsMs: timingsOf(loads),
        });
      }
    }
  }
  const progress = progressOf(run, pageLoads);
  return {
    formatVersion: SUMMARY_FORMAT_VERSION,
    runId: run.runId,
    startedAt: run.startedAt,
    seed: run.seed,
    repetitions: run.repetitions,
    progress,
    warnings: [...warnings, ...warningsOf(progress)],
    rows,
    overview: conditionsOf(rows).map((condition) => overviewOf(run, condition)),
    ledger: ledgerOf(pageLoads),
  };
}

/** The loads that the statistics of a cell speak of. */
export function isCounted(load: PageLoad): boolean {
  return load.outcome === 'ok' && !load.warmup;
}

function numbersOf({ rttMs, downKbps, upKbps, lossPercent }: Condition): Condition {
  return { rttMs, downKbps, upKbps, lossPercent };
}

function cellKey(cell: { site: string; stack: string; network: Condition }): string {
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
