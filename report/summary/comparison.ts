import { type Metric, worsening } from '../../ground/experiment.ts';
import * as s from '../../ground/records/schema.ts';
import { UNITS, type Unit } from '../../ground/unit.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { exclusionsSchema } from './answer-exclusions.ts';
import { contrastOfSite, contrastOfSites } from './contrast.ts';
import { condition, countOfBoth, probability, sentenceList, siteNames, stacks } from './fields.ts';

/** One metric of two stacks, load by load of the same block; ratios are stack / baseline. */
const pairedRatio = {
  ...contrastOfSite,
  lowerInPercent: s.orNull(
    s.percent(
      "Share of the pairs in which the stack's number was the lower one, ties counting half, in percent.",
    ),
  ),
  p: probability(
    'Two-sided Wilcoxon signed-rank test of the log ratios; null: fewer than 6 pairs.',
  ),
};

const metricComparisonSchema = s.object(
  {
    ...pairedRatio,
    p: probability(
      'Two-sided Wilcoxon signed-rank test of the log ratios, of the differences where a value is 0 and has no ratio; null: fewer than 6 pairs.',
    ),
    unit: s.oneOf(Object.keys(UNITS) as Unit[], 'Of the metric.'),
    pAdjusted: probability(
      'p after Benjamini and Hochberg over all other metrics of all comparisons of the run.',
    ),
    verdict: s.orNull(
      verdictSchema,
      'Verdict by this p and the interval of the ratio, or of the difference if there is no ratio. About one in twenty differences is wrong. Null: it is not known which direction is better.',
    ),
  },
  'Another metric of the same two stacks: exploratory, not an answer of the run.',
);

export type MetricComparison = s.Static<typeof metricComparisonSchema>;

export const comparisonSchema = s.object(
  {
    subject: s.name('Name of the site.'),
    ...condition,
    ...stacks,
    ...pairedRatio,
    pHolm: probability(
      'p after Holm and Tarone over all comparisons of the run (controls have a family of their own): tests that could not pass take no share. Null as p is, and in a run of one site, whose primary answer decides.',
    ),
    cliffsDelta: s.orNull(
      s.number(
        "Cliff's delta of the two samples, -1 to 1; below 0: the stack's numbers tend to be lower.",
        { minimum: -1, maximum: 1 },
      ),
    ),
    verdict: verdictSchema,
    detectablePercent: s.orNull(
      s.number(
        'The smallest true difference, in percent of the baseline, that this number of pairs with such a spread finds in 80 of 100 runs (before any correction); null: too few pairs.',
      ),
    ),
    morePairsNeeded: s.orNull(
      s.count(
        'How many more pairs with such a spread would decide, if the estimate is the true difference; 0: enough, but not after the correction. Null: decided, or more than 1,000.',
      ),
    ),
    notes: sentenceList(
      'Fewer than 20 pairs, excluded blocks, influence of the machine, and other caveats, as sentences.',
    ),
    otherMetrics: s.map(
      metricComparisonSchema,
      'The other metrics by their names, without that of the verdict: exploratory.',
    ),
  },
  'The metric of verdicts (`analysis.metric`) of a stack against the baseline, on one site under one condition.',
);

export type Comparison = s.Static<typeof comparisonSchema>;

/** Whether both are for one stack under one condition. */
export function isOfSame(
  one: Pick<Comparison, 'network' | 'variant' | 'arm'>,
  other: Pick<Comparison, 'network' | 'variant' | 'arm'>,
): boolean {
  return one.network === other.network && one.variant === other.variant && one.arm === other.arm;
}

/** Percentage of pairs in which the stack was better than its baseline. */
export function betterInPercent(
  { lowerInPercent }: Pick<Comparison, 'lowerInPercent'>,
  metric: Pick<Metric, 'better'>,
): number | null {
  return lowerInPercent === null || worsening(1, metric) > 0
    ? lowerInPercent
    : 100 - lowerInPercent;
}

const pagesLikeTheseSchema = s.object(
  {
    nSites: s.count('Sites with a pair.'),
    ratio: s.withDescription(
      estimateSchema,
      'The mean ratio of such sites with its 95 % interval.',
    ),
    ofOneMore: s.object(
      { low: s.number('Its lower end.'), high: s.number('Its upper end.') },
      '95 % prediction interval of the ratio of one more such site.',
    ),
  },
  'Inference from the sites, as a sample, to similar sites; not corrected.',
);

export type PagesLikeThese = s.Static<typeof pagesLikeTheseSchema>;

const sites = s.count('How many sites have this verdict.');

export const primaryAnswerSchema = s.object(
  {
    ...condition,
    ...stacks,
    likeForLike: s.flag('Whether every condition of the fairness comparison is known and equal.'),
    ...contrastOfSites,
    sittingFactor: s.optional(
      s.number(
        'How many times the standard error of the ratio is by how sittings differ, as the mean over the stacks under the condition, at least 1. Absent: fewer than four sittings.',
      ),
    ),
    decidedAfterPairs: s.orNull(s.count('Number of pairs at the last look; null: not decided.')),
    verdicts: s.object(
      { faster: sites, slower: sites, same: sites, undecided: sites },
      'How many sites have each verdict.',
    ),
    ratioWithoutDisturbed: s.orNull(
      estimateSchema,
      'The same ratio without the blocks that hold a disturbed load; null: no such block, or no other block.',
    ),
    pagesLikeThese: s.orNull(
      pagesLikeTheseSchema,
      'The secondary answer: inference to similar sites; null below 5 sites.',
    ),
    exclusions: s.optional(
      s.orNull(
        exclusionsSchema,
        'Excluded loads, and how they could change the answer; null: nothing is excluded. Absent: not known.',
      ),
    ),
    excludedSites: siteNames('Planned sites without a ratio.'),
  },
  'One primary answer: a stack against the baseline on these very sites, under one condition.',
);

export type PrimaryAnswer = s.Static<typeof primaryAnswerSchema>;

export const secondaryAnswerSchema = s.object(
  {
    ...condition,
    ...stacks,
    metric: s.name(
      'The metric, one of those that the experiment has every run decide in addition.',
    ),
    ...contrastOfSites,
    nWithout: countOfBoth('Ok loads without the number: their pairs are excluded.'),
    medians: s.object(
      {
        arm: s.orNull(s.number("The stack's; null: no load has the number.")),
        baseline: s.orNull(s.number("The baseline's.")),
      },
      "The median over the sites with a pair of each site's median, in the metric's unit; without failed loads.",
    ),
    excludedSites: primaryAnswerSchema.properties.excludedSites,
  },
  'One answer of the second family: another planned metric of the same stacks, sites and condition as a primary answer.',
);

export type SecondaryAnswer = s.Static<typeof secondaryAnswerSchema>;

export const controlResultSchema = s.object(
  {
    arm: s.name('The stack.'),
    control: s.name('The stack that repeats it.'),
    nComparisons: s.count('Sites x conditions with enough pairs for the test.'),
    nCalledDifferent: s.count('Of these, with p below 0.05 before any correction.'),
    falsePositiveRate: s.orNull(
      estimateSchema,
      'nCalledDifferent / nComparisons (0 to 1) with its exact interval (Clopper and Pearson); null without comparisons.',
    ),
    expectedRate: s.optional(
      probability(
        'Expected share: the mean over these tests of the chance that p is below 0.05 where nothing differs and no pairs are tied, which few pairs make less than 0.05. Null without comparisons; absent: not known.',
      ),
    ),
    nWrongVerdicts: s.count(
      'Verdicts faster or slower, after a correction over the comparisons of this control.',
    ),
    primary: s.list(
      primaryAnswerSchema,
      'Over all sites, condition by condition; `arm` is the control, `baseline` the stack that it repeats.',
    ),
    comparisons: s.list(comparisonSchema, 'Site by site.'),
  },
  'How often a stack was called different from itself.',
);

export type ControlResult = s.Static<typeof controlResultSchema>;
