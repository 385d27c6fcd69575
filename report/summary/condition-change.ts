import * as s from '../../ground/records/schema.ts';
import { contrastOfSite, contrastOfSites } from './contrast.ts';
import { condition, probability } from './fields.ts';

const comparedCondition = (description: string) =>
  s.object(
    {
      ...condition,
      text: s.text('How it differs from the other condition, in words: `first visit`.'),
    },
    description,
  );

export const conditionChangeSchema = s.object(
  {
    differsIn: s.name(
      'What alone the two conditions differ in: a factor (visit ...), a dimension of the network (udp, event, lostPacket, congestionControl ...), or browser.',
    ),
    from: comparedCondition(
      'What is compared with: the more usual value, or the network without it.',
    ),
    to: comparedCondition('What is compared.'),
    shared: s.text('What both have in common, in words.'),
    arm: s.name('The stack, under both conditions; of two browsers, its arm in the first.'),
    baseline: s.orNull(
      s.name('The stack whose change is compared with.'),
      'Null: ratios are to / from of the stack, differences to - from. Else they are those of the stack over, or less, those of this one, from blocks in which both have a pair and neither failed under both conditions.',
    ),
    ...contrastOfSites,
    p: probability(
      'Two-sided: the level at which the interval of the ratio begins to hold 1; where failures leave no ratio, the exact sign test of them. Null: too few pairs.',
    ),
    pHolm: probability('p after Holm over all of these; null as p is.'),
    subjects: s.list(
      s.object(
        { subject: s.name('Name of the site.'), ...contrastOfSite },
        'One site, without a verdict.',
      ),
      'Site by site.',
    ),
  },
  'Effect of one change of the condition on a stack, or its difference between two stacks; secondary.',
);

export type ConditionChange = s.Static<typeof conditionChangeSchema>;
