import { askedNetworkSchema } from '../../ground/records/network.ts';
import { runSchema } from '../../ground/records/run.ts';
import {
  constant,
  count,
  described,
  list,
  name,
  number,
  object,
  orNull,
  type Static,
  type TSchema,
  text,
  typed,
} from '../../ground/records/schema.ts';
import { type Estimate, estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { type Change, changeSchema } from '../text/change.ts';
import { sentenceList, share, siteNames, variant } from './fields.ts';
import { isWithinMargin } from './verdict.ts';

/** The version of compare.json that this code writes; `runsComparisonSchema` describes it. */
export const COMPARE_FORMAT_VERSION = 4;

/** The same of the first run and of the second. */
export type Both<T> = [first: T, second: T];

const both = <Item extends TSchema>(item: Item, description: string) =>
  typed<Both<Static<Item>>>({ ...list(item, description), minItems: 2, maxItems: 2 });

const { runId, startedAt, backend, host, versions } = runSchema.properties;

const runFactsSchema = object(
  {
    runId,
    startedAt,
    backend,
    host,
    versions,
    nLoads: count('Loads that count, over all conditions.'),
    problems: sentenceList(
      'Attempts that failed or were invalid, by outcome and code; without those that were never expected.',
    ),
    warnings: sentenceList("What a reader of that run's report is told."),
  },
  'One of the two runs.',
);

export type RunFacts = Static<typeof runFactsSchema>;

const differenceSchema = object(
  {
    fact: text('Where run.json has it, for example host.kernel.'),
    values: both(orNull(text('As text.')), 'As text; null: this run has no such fact.'),
  },
  'Something that was not the same in both runs.',
);

export type FactDifference = Static<typeof differenceSchema>;

const onlyInOneSchema = object(
  {
    subjects: siteNames('Names of sites.'),
    conditions: list(text('A condition.'), 'In words.'),
    arms: list(name('A stack.'), 'Names of stacks, controls left out.'),
  },
  'What one run has and the other has not.',
);

export type OnlyInOne = Static<typeof onlyInOneSchema>;

const comparedSiteSchema = object(
  {
    subject: name('Name of the site.'),
    nPairs: both(
      count('Pairs of loads.'),
      'Pairs of loads in each run. Pairs are made within a run and never across.',
    ),
    ratios: both(orNull(estimateSchema), "As in each run's own report; null without pairs."),
    verdicts: both(
      orNull(verdictSchema),
      "As in each run's own report, but for the baseline and margin used here; null: the run has no such comparison.",
    ),
    change: orNull(
      estimateSchema,
      'Ratio of the ratios, second / first; null without pairs in one of the runs, without interval below 6 pairs.',
    ),
    verdict: changeSchema,
  },
  'A stack against the baseline on one site under one condition, in both runs.',
);

export type ComparedSite = Static<typeof comparedSiteSchema>;

const comparedStackSchema = object(
  {
    arm: name('Name of the stack.'),
    label: text('For people, as the first run has it.'),
    baseline: name('Name of the baseline.'),
    baselineLabel: text('For people.'),
    nSites: count('Sites with pairs in both runs; what follows is over these alone.'),
    ratios: both(
      orNull(estimateSchema),
      'Geometric mean over these sites of their ratios, at `level`; null: there are none, or failures leave none.',
    ),
    change: orNull(
      estimateSchema,
      'Geometric mean over these sites of their changes; the interval speaks of these sites, at `level`. null as ratios are.',
    ),
    level: share(
      'Share outside of these intervals: 0.05, shared alike among all stacks and conditions.',
    ),
    verdict: changeSchema,
    sentence: text('The same in one sentence.'),
    leftOut: both(
      siteNames('Names of sites.'),
      'Sites of both that the change does not speak of, by the run in which they have no ratio.',
    ),
    subjects: list(
      comparedSiteSchema,
      'Sites that both runs have with the same page, in the order of the first.',
    ),
  },
  'A stack against the baseline under one condition, in both runs.',
);

export type ComparedStack = Static<typeof comparedStackSchema>;

const comparedConditionSchema = object(
  {
    network: described(askedNetworkSchema, 'As asked for, as the first run has it.'),
    variant,
    names: both(name('Name of a network condition.'), "The network's name in each run."),
    measuredRttMs: both(
      orNull(number('In ms.')),
      'Median of the round trips measured, in ms; null: not measured.',
    ),
    arms: list(
      comparedStackSchema,
      'Stacks that both runs have, the baseline and controls left out.',
    ),
  },
  'One condition that both runs have: the same numbers of the network, whatever its name, and the same variant.',
);

export type ComparedCondition = Static<typeof comparedConditionSchema>;

export const runsComparisonSchema = object(
  {
    formatVersion: constant(COMPARE_FORMAT_VERSION, 'The version of this format.'),
    runs: both(runFactsSchema, 'The two runs.'),
    baseline: name(
      'The stack that all are compared with for which `conditions` names no other, in both runs.',
    ),
    marginPercent: number(
      'A change is none when its whole interval lies within so many percent of 1: 1 / (1 + m) to 1 + m.',
      { exclusiveMinimum: 0 },
    ),
    experiment: name('What was measured, in both runs.'),
    metric: name('What ratios are of, in both runs.'),
    differences: list(
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
    conditions: list(
      comparedConditionSchema,
      'Conditions that both runs have, in the order of the first.',
    ),
  },
  'Two runs side by side. Ratios are the metric of verdicts of a stack / of the baseline, each from the pairs of its own run; changes are ratio of the second run / of the first. Nothing is rounded; null: there is no such number. Everything that there is one of for each run is a list of two: first run, second run.',
);

/** What compare.json holds: two runs side by side. Ratios are stack / baseline, changes second run / first run. */
export type RunsComparison = Static<typeof runsComparisonSchema>;

/** What a change of a ratio is called. In the order of `judge`: what lies within the margin is the same, whatever else is true of it. */
export function changeVerdict(change: Estimate | null, marginPercent: number): Change {
  if (change === null || change.low === null || change.high === null) return 'cannot tell';
  if (isWithinMargin(change, marginPercent)) return 'same';
  if (change.low > 1) return 'higher';
  return change.high < 1 ? 'lower' : 'cannot tell';
}
