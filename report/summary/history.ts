import { verdictMetric } from '../../experiments/index.ts';
import { conditionFieldsOf } from '../../ground/records/network.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { ratioOf } from '../../kit/text/estimate.ts';
import type { FixedSites } from '../../statistics/fixed-sites.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import {
  type FindLevelChanges,
  fewestForLevelChange,
  levelChangeFinder,
} from '../../statistics/level-changes.ts';
import { deviationsFromMedian } from '../../statistics/mad.ts';
import { mean } from '../../statistics/mean.ts';
import { type AnalysisChoice, analysisOf } from './analysis.ts';
import { blocksOf, splitAttempts } from './blocks.ts';
import type { PrimaryAnswer } from './comparison.ts';
import { estimateAt } from './family.ts';
import { machinesOf } from './machines.ts';
import type { readRecords } from './measured-run.ts';
import { machineDifferences } from './plan-differences.ts';
import { poolSites } from './primary.ts';
import { plannedPairs, primaryQuestions } from './primary-questions.ts';
import { assertOfThisRun } from './record-checks.ts';
import {
  type ChangedFact,
  type ExcludedRun,
  HISTORY_FORMAT_VERSION,
  type HistoryLevel,
  type HistoryPoint,
  type HistoryQuestion,
  type RunsHistory,
} from './runs-history.ts';
import { SIGNIFICANCE } from './verdict.ts';

/**
 * Chance of even one false change on a page. Smaller than elsewhere, because a page after each run gives each its chance:
 * `statistics/README.md` has how often.
 */
const HISTORY_SIGNIFICANCE = 0.01;

/** The order of runs is drawn from it, so that the same runs give the same page. */
const SEED = 1;

/** Runs that are farther from the median of their level are apart (Iglewicz and Hoaglin 1993). */
const APART_DEVIATIONS = 3.5;

const OF_BENCH = /^(host\b|backend\b|fairness\.(client|server)\b|versions\.(quic-vs-https|node)$)/;

/** With fewer runs, half of them may lie close together by chance. */
const FEWEST_FOR_APART = 8;

/** What the history needs of a run. */
export interface AnsweredRun {
  /** Without its trials. */
  run: RunRecord;
  startedAt: string;
  answers: RunAnswer[];
}

interface RunAnswer
  extends Pick<
    HistoryQuestion,
    'network' | 'variant' | 'arm' | 'label' | 'baseline' | 'baselineLabel'
  > {
  sites: readonly string[];
  nPairs: number;
  nFailed: PrimaryAnswer['nFailed'];
  /** Of log ratios; null without pairs. */
  ratio: FixedSites | null;
}

type RunRecords = Pick<
  Awaited<ReturnType<typeof readRecords>>,
  'run' | 'observations' | 'invocations'
>;

/**
 * Answers the primary questions of a run, as its own report does.
 * @throws DamagedRunError when the records do not belong to one run
 * @throws AnalysisChoiceError when the run does not allow the analysis chosen
 */
export function answerRun(
  { run, observations, invocations }: RunRecords,
  choice: AnalysisChoice,
): AnsweredRun {
  assertOfThisRun(run, observations, [], invocations);
  const analysis = analysisOf(run, choice);
  const metric = verdictMetric({ experiment: run.experiment, analysis });
  const { counted } = splitAttempts(run, observations);
  const questions = primaryQuestions({
    run,
    blocks: blocksOf(run, counted, machinesOf(invocations)),
    pairs: plannedPairs(run, analysis.pairs),
  });
  return {
    run: { ...run, trials: [] },
    startedAt: invocations.map(({ startedAt }) => startedAt).toSorted()[0] ?? run.startedAt,
    answers: questions.map((question) => {
      const { sites, nPairs, nFailed, ratio } = poolSites(question, { metric }, () => true);
      const { arm, baseline } = question;
      return {
        network: conditionFieldsOf(question.network),
        variant: question.variant,
        arm: arm.arm,
        label: arm.label,
        baseline: baseline.arm,
        baselineLabel: baseline.label,
        sites: sites.map(({ subject }) => subject),
        nPairs,
        nFailed,
        ratio,
      };
    }),
  };
}

/**
 * The history of runs of one plan: the answers of each, and the changes of their level. Each question has an equal share of
 * the chance of a false change (Bonferroni, as in `decideFamily`).
 * @param answered at least one, in the order of time
 */
export function historyOf(
  answered: readonly AnsweredRun[],
  { choice, excluded }: { choice: AnalysisChoice; excluded: readonly ExcludedRun[] },
): RunsHistory {
  const newest = answered.at(-1) as AnsweredRun;
  const analysis = analysisOf(newest.run, choice);
  const level = HISTORY_SIGNIFICANCE / Math.max(1, newest.answers.length);
  const findChanges = levelChangeFinder({ seed: SEED, level });
  const answersOf = Map.groupBy(
    answered.flatMap(({ answers }, run) => answers.map((answer) => ({ ...answer, run }))),
    keyOf,
  );
  return {
    formatVersion: HISTORY_FORMAT_VERSION,
    experiment: newest.run.experiment,
    metric: analysis.metric,
    marginPercent: analysis.marginPercent,
    significance: HISTORY_SIGNIFICANCE,
    fewestRuns: fewestForLevelChange(level),
    endsEarly: newest.run.stopping !== undefined,
    runs: answered.map(({ run, startedAt }, place) => {
      const before = answered[place - 1];
      const { runId, backend, host, versions } = run;
      const changed = before ? changedFacts(before.run, run) : [];
      return { runId, startedAt, backend, host, versions, changed };
    }),
    excluded: excluded.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    questions: newest.answers.map((question) => {
      const { network, variant, arm, label, baseline, baselineLabel } = question;
      const names = { network, variant, arm, label, baseline, baselineLabel };
      return { ...names, ...overTime(answersOf.get(keyOf(question)) ?? [], findChanges) };
    }),
  };
}

function changedFacts(before: RunRecord, run: RunRecord): ChangedFact[] {
  const clients = [before, run].flatMap(({ arms }) =>
    arms.map(({ client }) => `versions.${client}`),
  );
  return machineDifferences(before, run).map(({ fact, values }) => ({
    fact,
    before: values[0],
    after: values[1],
    isOfBench: OF_BENCH.test(fact) || clients.includes(fact),
  }));
}

function keyOf({ network, variant, arm, baseline }: RunAnswer): string {
  return JSON.stringify([network.name, variant, arm, baseline]);
}

type AnswerInTime = RunAnswer & { run: number };

function overTime(
  answers: readonly AnswerInTime[],
  findChanges: FindLevelChanges,
): Pick<HistoryQuestion, 'subjects' | 'points' | 'levels' | 'spread'> {
  const subjects = mostFrequentSites(answers);
  const points = answers.map((answer) => pointOf(answer, subjects));
  const counted = answers.filter((_, place) => points[place]?.excluded === null);
  const logs = counted.map(({ ratio }) => ratio?.estimate as number);
  const changes = findChanges(logs);
  const starts = [{ at: 0, p: null }, ...changes];
  const parts = starts.map(({ at, p }, place) => {
    const end = starts[place + 1]?.at ?? logs.length;
    const values = logs.slice(at, end);
    return { at, end, p, values, centre: hodgesLehmann(values) };
  });
  const isApart = new Set(
    parts.flatMap(({ at, values }) =>
      values.length < FEWEST_FOR_APART
        ? []
        : deviationsFromMedian(values).flatMap((deviation, place) =>
            Math.abs(deviation ?? 0) > APART_DEVIATIONS ? [counted[at + place]?.run] : [],
          ),
    ),
  );
  return {
    subjects: [...subjects],
    points: points.map((point) => ({ ...point, isApart: isApart.has(point.run) })),
    levels: parts.flatMap(({ at, end, p, centre }, place): HistoryLevel[] => {
      if (centre === null) return [];
      const before = parts[place - 1]?.centre ?? null;
      return [
        {
          from: counted[at]?.run ?? 0,
          to: counted[end - 1]?.run ?? 0,
          nRuns: end - at,
          ratio: Math.exp(centre),
          change: before === null ? null : Math.exp(centre - before),
          p,
        },
      ];
    }),
    spread: spreadOf(parts, counted),
  };
}

/** A ratio over other sites could differ by these alone. */
function mostFrequentSites(answers: readonly AnswerInTime[]): readonly string[] {
  const sets = [...Map.groupBy(answers, ({ sites }) => JSON.stringify(sites.toSorted())).values()];
  // The newest of equally frequent ones.
  const [most] = sets.toReversed().toSorted((a, b) => b.length - a.length);
  return most?.[0]?.sites ?? [];
}

function pointOf(
  { run, sites, nPairs, nFailed, ratio }: AnswerInTime,
  subjects: readonly string[],
): HistoryPoint {
  const shown = ratioOf(estimateAt(ratio, SIGNIFICANCE));
  const missing = subjects.filter((site) => !sites.includes(site));
  const further = sites.filter((site) => !subjects.includes(site));
  const [other] = [...missing, ...further];
  const reason = () => {
    if (nPairs === 0) return 'No pair of loads counts.';
    if (other !== undefined) {
      return `Its ratio is ${missing.length > 0 ? 'without' : 'also over'} ${other}${missing.length + further.length > 1 ? ' and more' : ''}, unlike that of most runs.`;
    }
    return shown === null ? 'Too many loads failed for a ratio.' : null;
  };
  return { run, ratio: shown, nPairs, nFailed, excluded: reason(), isApart: false };
}

function spreadOf(
  parts: readonly { values: readonly number[]; centre: number | null }[],
  counted: readonly AnswerInTime[],
): HistoryQuestion['spread'] {
  const freedom = counted.length - parts.length;
  if (freedom < 1) return null;
  const squares = parts.flatMap(({ values, centre }) =>
    values.map((value) => (value - (centre ?? value)) ** 2),
  );
  const errors = counted.flatMap(({ ratio }) => (ratio?.errors ? [ratio.errors] : []));
  const within = mean(errors.map(({ below, above }) => ((below + above) / 2) ** 2));
  return {
    betweenRuns: Math.sqrt(squares.reduce((total, each) => total + each, 0) / freedom),
    withinRuns: within === null || !Number.isFinite(within) ? null : Math.sqrt(within),
  };
}
