import { askedNetworkSchema } from '../../../ground/records/network.ts';
import {
  constant,
  count,
  list,
  name,
  number,
  object,
  oneOf,
  orNull,
  type Static,
  text,
} from '../../../ground/records/schema.ts';
import { changeSchema } from '../../../kit/text/change.ts';
import { estimateSchema } from '../../../kit/text/estimate.ts';
import { verdictSchema } from '../../../kit/text/verdict.ts';
import { publishedClaimSchema } from './published-claim.ts';
import { ladderSchema, stepFields } from './record.ts';

/** The version of ladder-summary.json that this code writes. */
export const LADDER_SUMMARY_FORMAT_VERSION = 3;

const siteSchema = object(
  {
    subject: name('Name of the site.'),
    nPairs: count('Pairs that count.'),
    ratio: orNull(estimateSchema, 'Of its pairs; null without pairs.'),
  },
  'One site on one step.',
);

const resultSchema = object(
  {
    runId: name('Name of the run.'),
    metric: name('What is timed.'),
    variant: text('Values of the factors, joined by dots.'),
    order: oneOf(
      ['shuffled', 'sequential'],
      'shuffled: pairs are loads of one block; sequential: loads with the same number.',
    ),
    arm: name('The stack that speaks QUIC.'),
    label: text('Its label.'),
    baseline: name('The stack over TCP.'),
    baselineLabel: text('Its label.'),
    nSites: count('Sites with pairs.'),
    nPairs: count('Pairs that count.'),
    nPairsPlanned: count('Pairs planned.'),
    ratio: orNull(
      estimateSchema,
      "Geometric mean over the sites of their ratios, as in the run's own report; null without pairs.",
    ),
    medianOfSites: orNull(number('Median over the sites of their ratios; null without pairs.')),
    verdict: verdictSchema,
    sentence: text("The run's own answer."),
    subjects: list(siteSchema, "As in the run's own report."),
  },
  'What the run of a step says.',
);

export type StepResult = Static<typeof resultSchema>;

const stepSummarySchema = object(
  {
    ...stepFields,
    state: oneOf(
      ['measured', 'interrupted', 'not measured'],
      'interrupted: its run ended before its plan did, and is not used.',
    ),
    result: orNull(resultSchema, 'What its run says; null: not measured.'),
    ratioChange: orNull(
      estimateSchema,
      "The ratio divided by that of the step before: geometric mean over the sites that both steps have of their changes, with Student's interval over them; null: one of the two was not measured, or there is none before.",
    ),
    changeVerdict: orNull(
      changeSchema,
      'higher or lower: the interval leaves out 1; same: it lies within the margin. null as ratioChange is.',
    ),
  },
  'An ablation step with what its run says.',
);

export type StepSummary = Static<typeof stepSummarySchema>;

export const ladderSummarySchema = object(
  {
    formatVersion: constant(LADDER_SUMMARY_FORMAT_VERSION, 'The version of this format.'),
    startedAt: ladderSchema.properties.startedAt,
    command: ladderSchema.properties.command,
    warnings: list(text('A sentence.'), 'What the reader should know, as sentences.'),
    subjects: list(
      name('A site.'),
      'Names of the sites, in their order; empty: no step was measured.',
    ),
    network: orNull(
      askedNetworkSchema,
      'The network as asked for, the same on every step; null: no step was measured.',
    ),
    marginPercent: number(
      'A change is none when its whole interval lies within so many percent of 1: 1 / (1 + m) to 1 + m.',
      { exclusiveMinimum: 0 },
    ),
    published: publishedClaimSchema,
    steps: list(stepSummarySchema, 'In their order.'),
    whole: orNull(
      estimateSchema,
      "The last step's ratio / the first's; null: one of them was not measured.",
    ),
    sentences: list(text('A sentence.'), 'What came out, as sentences.'),
  },
  "A ladder of runs, each of which differs from the one before in one thing. Ratios are the time of QUIC / of HTTPS, changes a step's ratio / that of the step before. Nothing is rounded; null: there is no such number.",
);

/** What ladder-summary.json holds. */
export type LadderSummary = Static<typeof ladderSummarySchema>;
