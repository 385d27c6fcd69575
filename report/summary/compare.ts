import { type Experiment, type Metric, worsening } from '../../ground/experiment.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import { ratioOf } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { benjaminiHochberg } from '../../statistics/benjamini-hochberg.ts';
import { cliffsDelta } from '../../statistics/cliffs-delta.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import { logRatios } from '../../statistics/log-ratios.ts';
import type { Resampling } from '../../statistics/resampling.ts';
import { signShares } from '../../statistics/sign-shares.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { tarone } from '../../statistics/tarone.ts';
import { type SignedRankTest, wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import type { Block } from './blocks.ts';
import type { Comparison, MetricComparison } from './comparison.ts';
import { givenUpNotes } from './given-up.ts';
import { machineNotes, type NamedPair } from './machine-notes.ts';
import {
  differencesOf,
  pairedEstimate,
  pairedValues,
  testedPairs,
  type ValuePair,
} from './paired-values.ts';
import { conditionsPlanned, type QuestionSource } from './primary-questions.ts';
import { seedOf } from './seed.ts';
import { decideSite, type SiteEvidence, verdictOfOther, verdictOfSite } from './verdict.ts';

/** Two stacks on one site under one condition, with the blocks of these. */
export interface StackPair extends NamedPair {
  subject: string;
  network: string;
  variant: Block['variant'];
  blocks: readonly Block[];
}

/** Fewer pairs get a note: a claim should rest on more. */
const PAIRS_FOR_A_CLAIM = 20;

export interface ComparisonSettings extends Resampling {
  marginPercent: number;
  /** Metric of verdicts. */
  metric: Metric;
  experiment: Pick<
    Experiment,
    'attempt' | 'clientNoun' | 'differIn' | 'metrics' | 'name' | 'secondaryMetrics' | 'subject'
  >;
  /** A smaller adjusted p is a difference; below 5 % if a run had looks before its end. */
  significance: number;
  /** Number of answers that share the 5 %; default: those of the run. */
  family?: number;
}

/**
 * Compares stacks as one family: p-values of the metric of verdicts are corrected after Holm and Tarone, those of all other
 * metrics together after Benjamini and Hochberg. The same input gives the same numbers.
 */
export function compare(
  pairs: readonly StackPair[],
  { marginPercent, metric, experiment, significance, ...resampling }: ComparisonSettings,
): Comparison[] {
  const measured = pairs.map((pair) => measure(pair, { metric, experiment }, resampling));
  const pHolms = tarone(
    measured.map(({ tested }) => tested),
    significance,
  );
  const adjusted = benjaminiHochberg(
    measured.flatMap(({ further }) => further.map(([, { p }]) => p)),
  );
  return measured.map(({ numbers, tested, further, notes }, index): Comparison => {
    const pHolm = pHolms[index] ?? null;
    const otherMetrics: Record<string, MetricComparison> = {};
    for (const [place, [other, compared]] of further.entries()) {
      const pAdjusted = adjusted[index * further.length + place] ?? null;
      otherMetrics[other.name] = {
        ...compared,
        pAdjusted,
        verdict: verdictOfOther(
          { ...compared, pAdjusted },
          { marginPercent, metric: other, significance },
        ),
      };
    }
    return {
      ...numbers,
      pHolm,
      ...decideSite({ ...tested, pHolm }, { marginPercent, metric, significance }),
      notes,
      otherMetrics,
    };
  });
}

/** Undecided comparisons of single sites that have a test, at the level of the run's report. */
export function undecidedSites(
  pairs: readonly StackPair[],
  {
    marginPercent,
    metric,
    significance,
  }: Pick<ComparisonSettings, 'marginPercent' | 'metric' | 'significance'>,
): StackPair[] {
  const tests = pairs.map((pair) => test(valuesOfPair(pair, metric), metric));
  const pHolms = tarone(tests, significance);
  return pairs.filter((_, index) => {
    const evidence = { ...(tests[index] as SiteTest), pHolm: pHolms[index] ?? null };
    const settings = { marginPercent, metric, significance };
    return evidence.p !== null && verdictOfSite(evidence, settings) === 'undecided';
  });
}

/** Every stack and its baseline, on each site under each condition that has blocks. */
export function stackPairs({
  run,
  blocks,
  pairs,
}: Pick<QuestionSource, 'run' | 'blocks' | 'pairs'>): StackPair[] {
  return run.subjects.flatMap(({ subject }) =>
    conditionsPlanned(run).flatMap(({ network, variant }) => {
      const found = blocks.get(subjectConditionKey({ subject, network, variant })) ?? [];
      if (found.length === 0) return [];
      const cell = { subject, network: network.name, variant, blocks: found };
      return pairs.map(([arm, baseline]) => ({ arm, baseline, ...cell }));
    }),
  );
}

/** The log ratios of verdicts, pair by pair, where both loads are ok; pairs with a 0 have none. */
export function pairedLogRatios(
  blocks: readonly Block[],
  metric: Metric,
  arm: string,
  baseline: string,
): number[] {
  return logRatios(
    testedPairs(blocks, metric, arm, baseline)
      .map(({ values }) => values)
      .filter((values) => values.every(Number.isFinite)),
  );
}

function measure(
  pair: StackPair,
  { metric, experiment }: Pick<ComparisonSettings, 'metric' | 'experiment'>,
  resampling: Resampling,
) {
  const { subject, network, variant } = pair;
  const [arm, baseline] = [pair.arm.arm, pair.baseline.arm];
  const seed = seedOf(resampling.seed, 'difference', subject, network, variant, arm, baseline);
  const pairs = valuesOfPair(pair, metric);
  const tested = test(pairs, metric);
  const { nPairs, ratio, p } = tested;
  const hasNumber = pairs.some((values) => values.some(Number.isFinite));
  const numbers = {
    subject,
    network,
    variant,
    arm,
    baseline,
    nPairs,
    difference: hasNumber ? pairedEstimate(differencesOf(pairs), { ...resampling, seed }) : null,
    ratio,
    lowerInPercent: hasNumber ? lowerPercentOf(pairs) : null,
    p,
    cliffsDelta: cliffsDelta(
      pairs.map(([value]) => value),
      pairs.map(([, value]) => value),
    ),
  };
  return {
    numbers,
    tested,
    further: experiment.metrics
      .filter(({ name }) => name !== metric.name)
      .map((other) => [other, measureOther(pair, other)] as const),
    notes: notesOn(pairs, pair, { metric, experiment }),
  };
}

type SiteTest = Omit<SiteEvidence, 'pHolm'> & { leastP: number };

function test(pairs: readonly ValuePair[], metric: Metric): SiteTest {
  const logs = logRatios(pairs);
  // Ties of failures have differences of 0 and ratios of 1 without any number.
  const hasNumber = pairs.some((values) => values.some(Number.isFinite));
  const tested = testOf(logs);
  return {
    nPairs: pairs.length,
    // Not resampled: this interval excludes 1 exactly when the test finds a difference.
    ratio: hasNumber ? ratioOf(pairedEstimate(logs)) : null,
    logStandardDeviation: standardDeviation(logs.filter(Number.isFinite)),
    isSlower: worsening(hodgesLehmann(logs) ?? 0, metric) > 0,
    nBothFailed: pairs.filter((values) => !values.some(Number.isFinite)).length,
    p: tested?.p ?? null,
    leastP: tested?.leastP ?? 1,
  };
}

function valuesOfPair({ arm, baseline, blocks }: StackPair, metric: Metric): ValuePair[] {
  return testedPairs(blocks, metric, arm.arm, baseline.arm).map(({ values }) => values);
}

function measureOther(
  { blocks, arm, baseline }: StackPair,
  metric: Metric,
): Omit<MetricComparison, 'pAdjusted' | 'verdict'> {
  const pairs = pairedValues(blocks, metric, arm.arm, baseline.arm);
  const differences = differencesOf(pairs);
  const haveRatios = metric.scale === 'ratio' && pairs.flat().every((value) => value > 0);
  const logs = haveRatios ? logRatios(pairs) : null;
  return {
    unit: metric.unit,
    nPairs: pairs.length,
    difference: pairedEstimate(differences),
    ratio: logs && ratioOf(pairedEstimate(logs)),
    lowerInPercent: lowerPercentOf(pairs),
    p: testOf(logs ?? differences)?.p ?? null,
  };
}

function testOf(differences: readonly number[]): SignedRankTest | null {
  return differences.length < FEWEST_FOR_INTERVAL ? null : wilcoxonSignedRank(differences);
}

function lowerPercentOf(pairs: readonly ValuePair[]): number | null {
  const shares = signShares(differencesOf(pairs));
  return shares && 100 * (shares.below + shares.equal / 2);
}

function notesOn(
  pairs: readonly ValuePair[],
  pair: StackPair,
  { metric, experiment }: Pick<ComparisonSettings, 'metric' | 'experiment'>,
): string[] {
  const { arm, baseline, blocks } = pair;
  const [attempt] = experiment.attempt;
  const [, worse] = metric.words;
  const nPairs = pairs.length;
  const failed = ([0, 1] as const).map(
    (side) => pairs.filter((values) => !Number.isFinite(values[side])).length,
  );
  const broken = blocks.length - nPairs;
  const missing = blocks.filter(({ made }) =>
    [arm, baseline].some((one) => !made.some((each) => each.arm === one.arm)),
  ).length;
  const why =
    missing === broken
      ? 'is missing'
      : `was broken by ${experiment.clientNoun}, path or bench, was invalid or is missing`;
  const disturbed = blocks.filter((block) => block.disturbed).length;
  return sentences(
    nPairs >= FEWEST_FOR_INTERVAL &&
      nPairs < PAIRS_FOR_A_CLAIM &&
      `${countWithNoun(nPairs, 'pair')}: few for a claim, which should rest on ${PAIRS_FOR_A_CLAIM} or more.`,
    failed.some((count) => count > 0) &&
      `${arm.label} failed in ${failed[0]} and ${baseline.label} in ${failed[1]} of ${countWithNoun(nPairs, 'pair')}; a failure counts as ${worse} than all that ended.`,
    broken > 0 &&
      `${countWithNoun(broken, 'pair')} of ${blocks.length} ${broken === 1 ? 'is' : 'are'} excluded: a ${attempt} of ${broken === 1 ? 'it' : 'each'} ${why}.`,
    disturbed > 0 &&
      `The machine was not quiet during ${countWithNoun(disturbed, 'block')}; ${disturbed === 1 ? 'it is' : 'they are'} counted.`,
    givenUpNotes([arm, baseline], blocks, experiment.attempt),
    machineNotes(pair, blocks, experiment),
  );
}
