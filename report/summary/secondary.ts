import { type Metric, numberOf, secondaryMetricsOf } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PlannedArm } from '../../ground/records/run.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { median } from '../../statistics/median.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import type { ComparisonSettings } from './compare.ts';
import { isOfSame, type PrimaryAnswer, type SecondaryAnswer } from './comparison.ts';
import { decideAtEnd } from './family.ts';
import { contrastAt } from './pooled-evidence.ts';
import {
  excludedSitesNote,
  excludedSitesOf,
  isBeforeLook,
  looksAt,
  type PooledSites,
  poolSites,
  type RunLook,
} from './primary.ts';
import type { PrimaryQuestion } from './primary-questions.ts';
import { SIGNIFICANCE } from './verdict.ts';

/**
 * Answers the second family of a run: its questions again, by each further metric that the experiment decides in every run.
 * This family has 5 % of its own, shared equally among its answers; each is decided once, when the run has ended.
 */
export function answerSecondary(
  questions: readonly PrimaryQuestion[],
  settings: ComparisonSettings,
  looks: readonly RunLook[],
): SecondaryAnswer[] {
  const metrics = secondaryMetricsOf(settings.experiment, settings.metric);
  const alpha = SIGNIFICANCE / ((settings.family ?? questions.length) * metrics.length);
  return questions.flatMap((question) =>
    metrics.map((metric) =>
      answerTo(question, { ...settings, metric }, { looks: looksAt(question, looks), alpha }),
    ),
  );
}

export function secondaryTo(
  answer: Pick<PrimaryAnswer, 'network' | 'variant' | 'arm' | 'baseline'>,
  { secondary }: { secondary: readonly SecondaryAnswer[] },
): SecondaryAnswer[] {
  return secondary.filter((each) => isOfSame(each, answer) && each.baseline === answer.baseline);
}

function answerTo(
  question: PrimaryQuestion,
  settings: ComparisonSettings,
  { looks, alpha }: { looks: readonly RunLook[]; alpha: number },
): SecondaryAnswer {
  const { arm, baseline, network, variant } = question;
  const { metric } = settings;
  const { verdict, level } = decideAtEnd(
    looks.map((look) => ({
      fraction: look.fraction,
      evidence: poolSites(question, settings, isBeforeLook(look)),
    })),
    alpha,
    settings,
  );
  const seen = poolSites(question, settings, () => true);
  const excludedSites = excludedSitesOf(question, seen);
  const sides = [sideOf(question, arm, metric), sideOf(question, baseline, metric)] as const;
  return {
    network: network.name,
    variant,
    arm: arm.arm,
    baseline: baseline.arm,
    metric: metric.name,
    ...contrastAt(seen, level, verdict),
    nWithout: { arm: sides[0].without.length, baseline: sides[1].without.length },
    medians: {
      arm: medianOverSites(seen, metric, arm),
      baseline: medianOverSites(seen, metric, baseline),
    },
    excludedSites,
    notes: sentences(
      withoutNote(sides, settings),
      seen.sites.length > 0 && excludedSitesNote(excludedSites, network, settings),
    ),
  };
}

interface Side {
  label: string;
  loads: Observation[];
  /** Loads without the number. */
  without: Observation[];
}

function sideOf({ subjects }: PrimaryQuestion, { arm, label }: PlannedArm, metric: Metric): Side {
  const loads = subjects.flatMap(({ blocks }) =>
    blocks.flatMap((block) => block.loads.get(arm) ?? []),
  );
  return { label, loads, without: loads.filter((load) => numberOf(load, metric) === null) };
}

function medianOverSites(
  { sites }: PooledSites,
  metric: Metric,
  { arm }: PlannedArm,
): number | null {
  const medians = sites.map(({ blocks }) =>
    median(
      blocks
        .flatMap(({ loads }) => loads.get(arm) ?? [])
        .flatMap((load) => numberOf(load, metric) ?? []),
    ),
  );
  return median(medians.filter((each) => each !== null));
}

/** Number of ok loads without the metric, and why: how they would change the answer is not known. */
function withoutNote(
  sides: readonly Side[],
  { metric, experiment }: Pick<ComparisonSettings, 'metric' | 'experiment'>,
): string | null {
  const all = sides.flatMap(({ without }) => without);
  if (all.length === 0) return null;
  const counts = sides.map(
    ({ label, loads, without }) =>
      `${countText(without.length)} of ${countWithNoun(loads.length, ...experiment.attempt)} of ${label}`,
  );
  const reasons = [...new Set(all.map((load) => metric.missing(load)))].join('; ');
  const sentence = `No ${metric.phrase} in ${counts.join(' and ')} (${reasons}): their pairs are excluded.`;
  const signs = sides.flatMap(({ without }, side) => without.map(() => 1 - 2 * side));
  const test = wilcoxonSignedRank(signs);
  return test !== null && test.p < SIGNIFICANCE
    ? `${sentence} One of the two lacks it more often than chance would explain: the answer applies only to loads with it.`
    : sentence;
}
