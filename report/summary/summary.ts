import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { numberOf } from '../../ground/experiment.ts';
import type { CalibrationRecord } from '../../ground/records/calibration.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { loadsOfArms, withoutExplaining } from '../../ground/records/explaining-arms.ts';
import { withoutFilmed } from '../../ground/records/filmed.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import { networkKey } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import type { LooksSummary } from '../../kit/text/end.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { explanationResults } from '../explanation/divide.ts';
import { ageNote, checkAge, loadAges } from './age.ts';
import { type AnalysisChoice, analysisOf } from './analysis.ts';
import { type Block, blocksOf, countedIn, splitAttempts } from './blocks.ts';
import { type ComparisonSettings, compare, stackPairs } from './compare.ts';
import { compareConditions } from './compare-conditions.ts';
import { type Comparison, type ControlResult, isOfSame, type PrimaryAnswer } from './comparison.ts';
import { controlResult } from './control.ts';
import { concurrencyNote, fairnessOf, type PairFairness } from './fairness.ts';
import { filmedOf } from './filmed.ts';
import { SUMMARY_FORMAT_VERSION, siteFactsSchema } from './format.ts';
import { begunPartOf, looksOf, significanceAfter } from './looks.ts';
import { machineSummariesOf } from './machine-summary.ts';
import { backendUsed, machinesOf } from './machines.ts';
import { matchedCommand } from './matched-command.ts';
import { answerMix } from './mix.ts';
import { networkSummaryOf, unseededWarnings } from './network.ts';
import { overviewOf } from './overview.ts';
import { answerPrimary, type RunLook } from './primary.ts';
import {
  type PlannedPair,
  type PrimaryQuestion,
  plannedPairs,
  primaryQuestions,
  stackNamed,
} from './primary-questions.ts';
import { progressOf } from './progress.ts';
import { recommendationsOf } from './recommendation.ts';
import { assertOfThisRun } from './record-checks.ts';
import { conditionsOf, summaryRowsOf } from './rows.ts';
import { runExclusionsOf } from './run-exclusions.ts';
import type { Summary } from './schema.ts';
import { answerSecondary } from './secondary.ts';
import { sweepsOf } from './sweep.ts';
import { warningsOf } from './warnings.ts';

export type { Summary } from './schema.ts';

/** Facts that the reader of the files adds. */
interface SummaryOptions {
  /** Warnings about the files. */
  warnings?: readonly string[];
  /** Give the machine of every load; without them all loads come from one machine. */
  invocations?: readonly InvocationRecord[];
  /** Looks at a run whose repetitions stop by a rule. */
  looks?: readonly LookRecord[];
  /** Replaces the plan's analysis. */
  choice?: AnalysisChoice;
}

/**
 * Counts, describes and compares the page loads of a run, and their path. The same input gives the same numbers: every
 * random choice comes from the run's seed and the names of its cell.
 * @throws DamagedRunError when a load or a calibration belongs to a site, stack, network condition, visit, block or backend
 * that the plan does not have
 * @throws AnalysisChoiceError when the run does not allow the analysis chosen
 */
export function summarise(
  planned: RunRecord,
  recorded: readonly Observation[],
  calibrations: readonly CalibrationRecord[] = [],
  { warnings = [], invocations = [], looks: lookRecords = [], choice = {} }: SummaryOptions = {},
): Summary {
  const wholePlan = { ...planned, trials: withoutFilmed(planned.trials) };
  const allLoads = withoutFilmed(recorded);
  const plan = withoutExplaining(wholePlan);
  const allPageLoads = loadsOfArms(plan, allLoads);
  const analysis = analysisOf(plan, choice);
  assertOfThisRun(wholePlan, allLoads, calibrations, invocations);
  const run = begunPartOf(plan, allPageLoads);
  const { counted: observations, superseded } = splitAttempts(run, allPageLoads);
  const machines = machinesOf(invocations);
  const backend = backendUsed(run, machines);
  const blocks = blocksOf(run, observations, machines);
  const allBlocks = [...blocks.values()].flat();
  const metric = verdictMetric({ experiment: run.experiment, analysis });
  const rows = summaryRowsOf(run, observations, allBlocks, { metric, backend });
  const conditions = conditionsOf(rows);
  const progress = progressOf(run, observations, lookRecords);
  const countedOfCell = Map.groupBy(countedIn(allBlocks), cellKey);
  const fairness = fairnessOf(run, allBlocks, allPageLoads);
  const looks = looksOf(plan, lookRecords, observations);
  const settings = {
    seed: run.seed,
    marginPercent: analysis.marginPercent,
    metric,
    experiment: experimentOf(run),
    significance: significanceAfter(looks, hasEnded(plan, lookRecords)),
    ...(choice.family !== undefined && { family: choice.family }),
  };
  const source = { run, blocks, fairness, settings, looks };
  const pairs = plannedPairs(run, analysis.pairs);
  const { comparisons: ofSites, primary: answers, questions } = comparisonsOf(source, pairs);
  const comparisons =
    run.subjects.length === 1 ? ofSites.map((one) => withPrimaryAnswer(one, answers)) : ofSites;
  const ages = loadAges(observations);
  const ageChecks = questions.map((question) => checkAge(question, ages, metric));
  const primary = answers.map((each, index) => {
    const check = ageChecks[index];
    const notes = sentences(
      check && ageNote(check, settings.experiment),
      concurrencyNote(fairness, each, (arm) => stackNamed(run, arm)),
      each.notes,
    );
    return { ...each, notes };
  });
  const loadsOn = Map.groupBy(observations, ({ network }) => networkKey(network));
  const nTests = comparisons.filter(({ pHolm }) => pHolm !== null).length;
  const networks = run.networks.map((network) =>
    networkSummaryOf(
      network,
      backend,
      calibrations.filter(({ requested }) => requested.condition === network.name),
      loadsOn.get(networkKey(network)) ?? [],
    ),
  );
  const secondary = answerSecondary(questions, settings, looks);
  const mix = answerMix(questions, {
    ...settings,
    mix: analysis.mix,
    planned: plan.analysis.mix,
  });
  const command = matchedCommand(run);
  const found = { run, progress, analysis };
  return {
    formatVersion: SUMMARY_FORMAT_VERSION,
    runId: run.runId,
    experiment: run.experiment,
    startedAt: invocations.map(({ startedAt }) => startedAt).toSorted()[0] ?? run.startedAt,
    seed: run.seed,
    repetitions: run.repetitions,
    progress,
    warnings: sentences(
      warnings,
      unseededWarnings(networks, settings.experiment.attempt),
      warningsOf({
        ...found,
        comparisons,
        primary,
        invocations,
        blocks: allBlocks,
        superseded,
      }),
    ),
    analysis: { ...analysis, nTests },
    subjects: run.subjects.map((planned) => s.fieldsOf(siteFactsSchema, planned)),
    networks,
    rows,
    overview: conditions.map((condition) => overviewOf(run.arms, condition, metric)),
    comparisons,
    primary,
    ageChecks,
    secondary,
    mix,
    ...(plan.analysis.explanations && {
      explanations: explanationResults({
        run: wholePlan,
        blocks: blocksOf(wholePlan, splitAttempts(wholePlan, allLoads).counted, machines),
        metric,
      }),
    }),
    recommendations: recommendationsOf(run, settings.experiment, {
      primary,
      secondary,
      mix,
      metric: metric.name,
      pairs,
    }),
    ...(command !== null && { matchedCommand: command }),
    filmed: filmedOf(
      run,
      recorded.filter(({ filmed }) => filmed),
    ),
    conditionChanges: compareConditions({ ...source, pairs }),
    looks: looksSummaryOf(run, lookRecords),
    machines: machineSummariesOf(machines, { observations, blocks: allBlocks }, (keep) =>
      answerPrimary(primaryQuestions({ ...source, pairs, keep }), settings),
    ),
    controls: controlsOf(source),
    sweeps: sweepsOf(conditions, {
      seed: run.seed,
      metric,
      primary,
      valuesOf: (row) =>
        (countedOfCell.get(cellKey(row)) ?? []).flatMap((load) => numberOf(load, metric) ?? []),
    }),
    fairness,
    exclusions: runExclusionsOf(
      observations,
      allBlocks,
      experimentOf(run).remedies?.(observations, run) ?? [],
    ),
  };
}

/** Runs with fixed repetitions need no look to end. */
function hasEnded({ stopping }: RunRecord, looks: readonly LookRecord[]): boolean {
  return !stopping || (looks.at(-1)?.end ?? null) !== null;
}

function looksSummaryOf(
  { stopping }: RunRecord,
  looks: readonly LookRecord[],
): LooksSummary | null {
  if (!stopping) return null;
  const last = looks.at(-1);
  return {
    nLooks: looks.length,
    end: last?.end ?? null,
    elapsedMs: last?.elapsedMs ?? 0,
    budgetMs: stopping.budgetMs,
  };
}

interface Source {
  run: RunRecord;
  blocks: ReadonlyMap<string, readonly Block[]>;
  fairness: readonly PairFairness[];
  settings: ComparisonSettings;
  looks: readonly RunLook[];
}

/** Pairs of stacks on every site under every condition as one family of tests, and on all sites together as another. */
function comparisonsOf(
  source: Source,
  pairs: readonly PlannedPair[],
): { comparisons: Comparison[]; primary: PrimaryAnswer[]; questions: PrimaryQuestion[] } {
  const { looks } = source;
  const comparisons = compare(stackPairs({ ...source, pairs }), source.settings);
  const questions = primaryQuestions({ ...source, pairs, comparisons });
  return { comparisons, primary: answerPrimary(questions, source.settings, looks), questions };
}

/** In a run of one site, the comparison has the estimates and verdict of the answer, and no test of its own. */
function withPrimaryAnswer(comparison: Comparison, answers: readonly PrimaryAnswer[]): Comparison {
  const answer = answers.find((each) => isOfSame(each, comparison));
  if (!answer) return comparison;
  const { ratio, difference, verdict } = answer;
  return { ...comparison, ratio, difference, verdict, pHolm: null };
}

function controlsOf(source: Source): ControlResult[] {
  const { run } = source;
  return run.arms.flatMap((control) => {
    if (control.controlOf === null) return [];
    const repeated = stackNamed(run, control.controlOf);
    const { comparisons, primary } = comparisonsOf(source, [[control, repeated]]);
    return [controlResult({ arm: repeated.arm, control: control.arm }, comparisons, primary)];
  });
}
