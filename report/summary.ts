import type { CalibrationRecord } from '../records/calibration.ts';
import type { PageLoad } from '../records/page-load.ts';
import { DamagedRunError } from '../records/read.ts';
import type { PlannedStack, RunRecord } from '../records/run.ts';
import type { SittingRecord } from '../records/sitting.ts';
import { type Block, blocksOf } from './analysis/blocks.ts';
import { cellKey, type SiteCondition, siteConditionKey } from './analysis/cell.ts';
import { compare, type StackPair } from './analysis/compare.ts';
import type { Comparison, ControlResult, PooledComparison } from './analysis/comparison.ts';
import { controlResult } from './analysis/control.ts';
import { backendUsed, machinesOf } from './analysis/machines.ts';
import { pool } from './analysis/pooled.ts';
import { attemptsApart } from './analysis/standing-loads.ts';
import { type Sweep, sweepsOf } from './analysis/sweep.ts';
import { type AnalysisChoice, type AnalysisUsed, analysisOf } from './analysis-used.ts';
import { assertOfThisRun } from './assert-of-this-run.ts';
import { conditionKey, conditionsOf } from './condition.ts';
import { fairnessOf, type PairFairness } from './fairness-summary.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { type MachineSummary, machineSummariesOf } from './machine-summary.ts';
import { type VerdictMetric, verdictMetric } from './metrics/verdict-metric.ts';
import { type NetworkSummary, networkSummaryOf } from './network-summary.ts';
import { type Overview, overviewOf } from './overview.ts';
import { type Progress, progressOf } from './progress.ts';
import { type SiteFacts, siteFactsOf } from './site-facts.ts';
import type { SummaryRow } from './summary-row.ts';
import { summaryRowsOf } from './summary-rows.ts';
import { warningsOf } from './warnings.ts';

/** The version of summary.json that this code writes; results/README.md describes it. */
export const SUMMARY_FORMAT_VERSION = 3;

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
  analysis: AnalysisUsed;
  sites: SiteFacts[];
  /** One for each network condition, in the plan's order. */
  networks: NetworkSummary[];
  /** Sites in the plan's order, within a site the networks, then the visits, then the stacks. */
  rows: SummaryRow[];
  /** One for each condition (network x visit), networks first: the stacks side by side, controls apart. */
  overview: Overview[];
  /** In the order of the rows; the baseline and the controls are not among the stacks. */
  comparisons: Comparison[];
  /** One for each condition and stack, in the order of the overview. */
  pooled: PooledComparison[];
  /** Every machine that took part; empty when it is not known. */
  machines: MachineSummary[];
  /** Empty without a control. */
  controls: ControlResult[];
  /** For conditions that differ in the round-trip time alone; empty without such. */
  sweeps: Sweep[];
  /** Every pair of stacks; empty where nothing is known. */
  fairness: PairFairness[];
  ledger: Ledger;
}

/** What the reader of the files has to add to them. */
export interface SummaryOptions {
  /** Sentences about the files themselves. */
  warnings?: readonly string[];
  /** Tell the machine of every load; without them all are taken for those of one machine. */
  sittings?: readonly SittingRecord[];
  /** What takes the place of the plan's analysis. */
  choice?: AnalysisChoice;
}

/**
 * Counts, describes and compares the page loads of a run, and the path they went over; pure. The same input gives the
 * same numbers: every random choice comes from the run's seed and the names of what it is for.
 * @throws DamagedRunError when a load or a calibration is of a site, stack, network condition, visit, block or backend
 * that the plan does not have
 * @throws AnalysisChoiceError when the run does not allow the analysis chosen
 */
export function summarise(
  run: RunRecord,
  allPageLoads: readonly PageLoad[],
  calibrations: readonly CalibrationRecord[] = [],
  { warnings = [], sittings = [], choice = {} }: SummaryOptions = {},
): Summary {
  const analysis = analysisOf(run, choice);
  assertOfThisRun(run, allPageLoads, calibrations, sittings);
  const { standing: pageLoads, setAside } = attemptsApart(run, allPageLoads);
  const machines = machinesOf(sittings);
  const backend = backendUsed(run, machines);
  const blocks = blocksOf(run, pageLoads, machines);
  const allBlocks = [...blocks.values()].flat();
  const metric = verdictMetric(analysis);
  const rows = summaryRowsOf(run, pageLoads, blocks, { metric, backend });
  const conditions = conditionsOf(rows);
  const progress = progressOf(run, pageLoads);
  const valuesOfCell = timesOf(blocks, metric);
  const fairness = fairnessOf(run, allBlocks);
  const source = { run, blocks, fairness, marginPercent: analysis.marginPercent, metric };
  const pairs = run.stacks
    .filter(({ stack, controlOf }) => controlOf === null && stack !== analysis.baseline)
    .map((stack): PlannedPair => [stack, stackNamed(run, analysis.baseline)]);
  const { comparisons, pooled } = comparisonsOf(source, pairs);
  const nTests = comparisons.filter(({ p }) => p !== null).length;
  return {
    formatVersion: SUMMARY_FORMAT_VERSION,
    runId: run.runId,
    startedAt: run.startedAt,
    seed: run.seed,
    repetitions: run.repetitions,
    progress,
    warnings: [
      ...warnings,
      ...warningsOf({
        ...{ run, progress, analysis, comparisons, sittings },
        ...{ blocks: allBlocks, setAside },
      }),
    ],
    analysis: { ...analysis, nTests },
    sites: run.sites.map(siteFactsOf),
    networks: run.networks.map((network) =>
      networkSummaryOf(
        network,
        backend,
        calibrations.filter(({ asked }) => asked.condition === network.name),
        pageLoads.filter((load) => conditionKey(load.network) === conditionKey(network)),
      ),
    ),
    rows,
    overview: conditions.map((condition) => overviewOf(run.stacks, condition, metric)),
    comparisons,
    pooled,
    machines: machineSummariesOf(machines, { pageLoads, blocks: allBlocks }, (keep) =>
      pooledOf(source, pairs, [], keep),
    ),
    controls: controlsOf(source),
    sweeps: sweepsOf(conditions, {
      seed: run.seed,
      metric,
      valuesOf: (row) => valuesOfCell.get(cellKey(row)) ?? [],
    }),
    fairness,
    ledger: ledgerOf(pageLoads, allBlocks),
  };
}

type BlocksByCell = ReadonlyMap<string, readonly Block[]>;

/** What comparisons are made from. */
interface Source {
  run: RunRecord;
  blocks: BlocksByCell;
  fairness: readonly PairFairness[];
  marginPercent: number;
  metric: VerdictMetric;
}

/** A stack and what it is compared with. */
type PlannedPair = readonly [stack: PlannedStack, baseline: PlannedStack];

/** Pairs of stacks on every site under every condition, as one family of tests, and over the sites of each condition. */
function comparisonsOf(
  source: Source,
  pairs: readonly PlannedPair[],
): { comparisons: Comparison[]; pooled: PooledComparison[] } {
  const { run } = source;
  const comparisons = compare(
    run.sites.flatMap(({ site }) =>
      conditionsPlanned(run).flatMap(({ network, visit }) => {
        const found = blocksAt(source, { site, network, visit });
        if (found.length === 0) return [];
        return pairs.map(
          ([{ stack, label }, baseline]): StackPair => ({
            ...{ stack, baseline: baseline.stack, site, network: network.name, visit },
            labels: { stack: label, baseline: baseline.label },
            blocks: found,
          }),
        );
      }),
    ),
    settingsOf(source),
  );
  return { comparisons, pooled: pooledOf(source, pairs, comparisons) };
}

/** The same pairs over all sites, condition by condition, of the blocks that are to be kept. */
function pooledOf(
  source: Source,
  pairs: readonly PlannedPair[],
  comparisons: readonly Comparison[],
  keep: (block: Block) => boolean = () => true,
): PooledComparison[] {
  const { run, fairness } = source;
  return conditionsPlanned(run).flatMap(({ network, visit }) => {
    const blocksBySite = run.sites.map(({ site }) =>
      blocksAt(source, { site, network, visit }).filter(keep),
    );
    if (blocksBySite.every((found) => found.length === 0)) return [];
    return pairs.map(([stack, baseline]) => {
      const isOfPool = (one: Comparison) =>
        one.network === network.name && one.visit === visit && one.stack === stack.stack;
      const likeForLike = fairness.some(
        (pair) => pair.likeForLike === 'yes' && isPair(pair, stack.stack, baseline.stack),
      );
      return pool(
        {
          ...{ stack, baseline, network, visit, likeForLike, blocksBySite },
          comparisons: comparisons.filter(isOfPool),
        },
        settingsOf(source),
      );
    });
  });
}

function settingsOf({ run: { seed }, marginPercent, metric }: Source) {
  return { seed, marginPercent, metric };
}

function conditionsPlanned({ networks, visits }: RunRecord) {
  return networks.flatMap((network) => visits.map((visit) => ({ network, visit })));
}

function blocksAt({ blocks }: Source, place: SiteCondition): readonly Block[] {
  return blocks.get(siteConditionKey(place)) ?? [];
}

/** Each control against the stack that it repeats. */
function controlsOf(source: Source): ControlResult[] {
  const { run } = source;
  return run.stacks.flatMap((control) => {
    if (control.controlOf === null) return [];
    const repeated = stackNamed(run, control.controlOf);
    const { comparisons, pooled } = comparisonsOf(source, [[control, repeated]]);
    const names = { stack: repeated.stack, control: control.stack, label: repeated.label };
    return [controlResult(names, comparisons, pooled)];
  });
}

function isPair({ a, b }: PairFairness, first: string, second: string): boolean {
  return (a === first && b === second) || (a === second && b === first);
}

function stackNamed({ stacks }: RunRecord, name: string): PlannedStack {
  const found = stacks.find(({ stack }) => stack === name);
  if (!found)
    throw new DamagedRunError(`run.json speaks of a stack ${name} that it does not have.`);
  return found;
}

/** The times of the counted loads, by site, condition and stack. */
function timesOf(blocks: BlocksByCell, metric: VerdictMetric): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { loads } of [...blocks.values()].flat()) {
    for (const load of loads?.values() ?? []) {
      const { value } = metric.of(load);
      if (value === null) continue;
      const key = cellKey(load);
      const found = values.get(key);
      if (found) found.push(value);
      else values.set(key, [value]);
    }
  }
  return values;
}
