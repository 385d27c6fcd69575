import { networkConditionSchema } from '../../ground/records/network.ts';
import { runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { contrastOfSites } from './contrast.ts';
import { sentenceList, siteNames, variant } from './fields.ts';

/** The version of compare.json that this code writes; `runsComparisonSchema` describes it. */
export const COMPARE_FORMAT_VERSION = 6;

/** Of the first run and of the second. */
export type Both<T> = [first: T, second: T];

const both = <Item extends s.TSchema>(item: Item, description: string) =>
  s.withType<Both<s.Static<Item>>>({ ...s.list(item, description), minItems: 2, maxItems: 2 });

const { runId, startedAt, backend, host, versions } = runSchema.properties;

const runFactsSchema = s.object(
  {
    runId,
    startedAt,
    backend,
    host,
    versions,
    nLoads: s.count('Loads that count, over all conditions.'),
    problems: sentenceList(
      'Attempts that failed or were invalid, by outcome and code; without those that were never expected.',
    ),
    warnings: sentenceList('Warnings in the report of that run.'),
  },
  'One of the two runs.',
);

export type RunFacts = s.Static<typeof runFactsSchema>;

const differenceSchema = s.object(
  {
    fact: s.text('Where run.json has it, for example host.kernel.'),
    values: both(s.orNull(s.text('As text.')), 'As text; null: this run has no such fact.'),
  },
  'Something that was not the same in both runs.',
);

export type FactDifference = s.Static<typeof differenceSchema>;

const onlyInOneSchema = s.object(
  {
    subjects: siteNames('Names of sites.'),
    conditions: s.list(s.text('A condition.'), 'In words.'),
    arms: s.list(s.name('A stack.'), 'Names of stacks, without controls.'),
  },
  'What only one run has.',
);

export type OnlyInOne = s.Static<typeof onlyInOneSchema>;

const comparedSiteSchema = s.object(
  {
    subject: s.name('Name of the site.'),
    nPairs: both(
      s.count('Pairs of loads.'),
      'Pairs of loads in each run. Pairs are made within a run and never across.',
    ),
    ratios: both(s.orNull(estimateSchema), "As in each run's own report; null without pairs."),
    verdicts: both(
      s.orNull(verdictSchema),
      "As in each run's own report, but for the baseline and margin used here; null: the run has no such comparison.",
    ),
    ratio: s.orNull(
      estimateSchema,
      'Ratio of the ratios, second / first; null without pairs in one of the runs, without interval below 6 pairs.',
    ),
    verdict: verdictSchema,
  },
  'A stack against the baseline on one site under one condition, in both runs.',
);

export type ComparedSite = s.Static<typeof comparedSiteSchema>;

const { nPairs, nFailed, ratio, level, verdict } = contrastOfSites;

const comparedStackSchema = s.object(
  {
    arm: s.name('Name of the stack.'),
    label: s.text('For people, as the first run has it.'),
    baseline: s.name('Name of the baseline.'),
    baselineLabel: s.text('For people.'),
    nSites: s.count('Sites with pairs in both runs; what follows is over these alone.'),
    nPairs,
    nFailed,
    ratio: s.withDescription(
      ratio,
      'Second / first: geometric mean over these sites of their ratios of ratios; the interval speaks of these sites, at `level`. Null: no such sites, or failures leave no ratio.',
    ),
    level: s.withDescription(
      level,
      'Share outside of these intervals: 0.05, shared alike among all stacks and conditions.',
    ),
    verdict: s.withDescription(
      verdict,
      "The second run's ratio against the first's: better (faster) or worse (slower), which the interval or failures show; same: the whole interval lies within the margin.",
    ),
    ratios: both(
      s.orNull(estimateSchema),
      'Geometric mean over these sites of their ratios, at `level`; null: no such sites, or failures leave no ratio.',
    ),
    excludedSites: both(
      siteNames('Names of sites.'),
      'Sites of both that the change does not speak of, by the run in which they have no ratio.',
    ),
    subjects: s.list(
      comparedSiteSchema,
      'Sites that both runs have with the same page, in the order of the first.',
    ),
  },
  'A stack against the baseline under one condition, in both runs.',
);

export type ComparedStack = s.Static<typeof comparedStackSchema>;

const comparedConditionSchema = s.object(
  {
    network: s.withDescription(networkConditionSchema, 'As configured in the first run.'),
    variant,
    names: both(s.name('Name of a network condition.'), "The network's name in each run."),
    measuredRttMs: both(
      s.orNull(s.number('In ms.')),
      'Median of the round trips measured, in ms; null: not measured.',
    ),
    arms: s.list(
      comparedStackSchema,
      'Stacks that both runs have, without the baseline and controls.',
    ),
  },
  'One condition that both runs have: the same numbers of the network, under any name, and the same variant.',
);

export type ComparedCondition = s.Static<typeof comparedConditionSchema>;

export const runsComparisonSchema = s.object(
  {
    formatVersion: s.constant(COMPARE_FORMAT_VERSION, 'The version of this format.'),
    runs: both(runFactsSchema, 'The two runs.'),
    baseline: s.name('The baseline in both runs, unless `conditions` names another one.'),
    marginPercent: s.number(
      'A whole interval within this margin of 1, 1 / (1 + m) to 1 + m, is no change.',
      { exclusiveMinimum: 0 },
    ),
    experiment: s.name('What was measured, in both runs.'),
    metric: s.name('Metric of the ratios, in both runs.'),
    differences: s.list(
      differenceSchema,
      'Options, machine, versions and settings of the path that are not the same in both.',
    ),
    onlyIn: both(
      onlyInOneSchema,
      'What only the first run has, and what only the second: it is not compared.',
    ),
    otherPages: siteNames(
      'Sites that both runs name, but whose pages are not the same; not compared.',
    ),
    conditions: s.list(
      comparedConditionSchema,
      'Conditions that both runs have, in the order of the first.',
    ),
  },
  'Two runs side by side. Ratios are the metric of verdicts of a stack / of the baseline, each from the pairs of its own run; changes are ratio of the second run / of the first. Nothing is rounded; null: there is no such number. Values of both runs are lists of two: first run, second run.',
);

/** Contents of compare.json. Ratios are stack / baseline, changes second run / first run. */
export type RunsComparison = s.Static<typeof runsComparisonSchema>;
