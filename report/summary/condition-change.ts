import * as s from '../../ground/records/schema.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { condition, probability, sentenceList } from './fields.ts';

const comparedCondition = (description: string) =>
  s.object(
    {
      ...condition,
      text: s.text('What it has and the other one has not, in words: `first visit`.'),
    },
    description,
  );

const pair = {
  differsIn: s.name(
    'What alone the two conditions differ in: a factor (visit ...), or a dimension of the network (udp, event, lostPacket, congestionControl ...).',
  ),
  from: comparedCondition(
    'What is compared with: the more usual value, or the network without it.',
  ),
  to: comparedCondition('What is compared.'),
  shared: s.text('What both have in common, in words.'),
};

const numbers = (pairs: string, ratio: string, difference: string) => ({
  nPairs: s.count(pairs),
  ratio: s.orNull(estimateSchema, ratio),
  difference: s.orNull(estimateSchema, difference),
});

/** What is told of all sites. */
const told = {
  p: probability(
    'Two-sided: the level at which the interval of the ratio begins to hold 1; where failures leave no ratio, the exact sign test of them. Null: too few pairs.',
  ),
  pHolm: probability(
    'p after Holm over all of `conditionChanges` and `interactions`; null as p is.',
  ),
  sentence: s.text('What came out, in one sentence.'),
  notes: sentenceList('Pairs left out, losses by chance and the like.'),
};

const CHANGE = numbers(
  "Pairs of the arm's loads of blocks with the same number.",
  'to / from: e to the power of the Hodges-Lehmann estimate of the log ratios, with its 95 % interval.',
  "to - from in the metric's unit, in the same way.",
);

export const conditionChangeSchema = s.object(
  {
    ...pair,
    arm: s.name('The stack, under both conditions.'),
    nSites: s.count('Sites with a pair.'),
    nFailed: s.object(
      { from: s.count('Under `from`.'), to: s.count('Under `to`.') },
      'Pairs in which the load failed by its own server or page: worse than all that ended.',
    ),
    ...numbers(
      'Pairs of all these sites.',
      "to / from: e to the power of the mean of the sites' log ratios, with its 95 % interval for these sites.",
      "Mean over the sites of to - from in the metric's unit, in the same way.",
    ),
    verdict: verdictSchema,
    ...told,
    subjects: s.list(
      s.object({ subject: s.name('Name of the site.'), ...CHANGE }, 'One site, without a verdict.'),
      'Site by site.',
    ),
  },
  'What becomes of one stack when one thing of its condition changes; secondary.',
);

export type ConditionChange = s.Static<typeof conditionChangeSchema>;

export const interactionSchema = s.object(
  {
    ...pair,
    arm: s.name('A stack.'),
    baseline: s.name('The stack whose change is compared with.'),
    nSites: s.count('Sites with such blocks.'),
    ...numbers(
      'Blocks in which both stacks have a pair, and neither failed under both conditions.',
      "The stack's to / from over that of the baseline, with its 95 % interval for these sites: below 1 its number fell more, or rose less.",
      "The stack's to - from less that of the baseline in the metric's unit, in the same way.",
    ),
    verdict: verdictSchema,
    ...told,
    subjects: s.list(
      s.object(
        {
          subject: s.name('Name of the site.'),
          ...numbers('Its blocks.', 'Its ratio of ratios.', 'Its difference of differences.'),
        },
        'One site, without a verdict.',
      ),
      'Site by site.',
    ),
  },
  'By how much what changes for one stack differs from what changes for another; secondary.',
);

export type Interaction = s.Static<typeof interactionSchema>;
