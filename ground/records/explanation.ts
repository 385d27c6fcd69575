import { BOUNDS, within } from './ranges.ts';
import * as s from './schema.ts';

const pairFields = {
  arm: s.fileName('An arm of the run.'),
  baseline: s.fileName('The arm that it is compared with.'),
};

const pairSchema = (description: string) => s.object(pairFields, description);

const aboutFields = {
  name: s.fileName('Name of the setting: handshake ...'),
  label: s.text('The setting in words, for tables.'),
};

const stepSchema = s.object(
  {
    ...aboutFields,
    phrase: s.text('Its part of the gain within a sentence: the saved round trip.'),
    owner: s.oneOf(
      ['protocol', 'server', 'setting', 'client'],
      'What the difference belongs to: another server, or another setting, has another part.',
    ),
    change: s.text('What is changed in which stack, as a sentence.'),
    together: pairSchema('The pair with this change and those of the steps before it.'),
    alone: pairSchema('The pair with this change alone.'),
    aloneAfter: s.optional(
      pairSchema('The pair with the change that this one continues; absent: it continues none.'),
    ),
    reverse: s.optional(
      pairSchema(
        'The pair with the same difference removed at the other stack; absent: that is not possible.',
      ),
    ),
    reverseReason: s.optional(s.text('Why it is not possible, as a clause; absent: it is.')),
  },
  'A change that removes one difference between the two stacks.',
);

const alternativeSchema = s.object(
  {
    ...aboutFields,
    change: s.text('What is changed in which stack, as a sentence.'),
    with: pairSchema('The pair with this change alone.'),
  },
  'Another setting of both stacks, or of the baseline, under which the gain may be another one.',
);

export const explanationSchema = s.object(
  {
    ...pairFields,
    steps: s.list(
      stepSchema,
      'Changes in the order in which they are added to each other: each one’s part of the gain is the gain before it less the gain after it.',
    ),
    responseDelay: s.optional(
      s.object(
        {
          delayed: s.fileName('The arm whose server waits longer before each response.'),
          delayMs: s.count('How much longer, in ms.', within(BOUNDS.responseDelayMs)),
        },
        'Cost of the time of a response: measured with a known delay. Absent: not possible.',
      ),
    ),
    alternatives: s.list(alternativeSchema, 'Not part of the sum.'),
    unchanged: s.list(
      s.object(
        {
          ...aboutFields,
          isEqual: s.flag('Whether both stacks have the same; otherwise its part is unknown.'),
          reason: s.text('Why nothing is changed, as a sentence.'),
        },
        'A setting without a step.',
      ),
      'Settings without a step.',
    ),
  },
  'How the gain of an arm over its baseline is divided by further arms.',
);

export type PlannedExplanation = s.Static<typeof explanationSchema>;

export type ExplainedPair = s.Static<ReturnType<typeof pairSchema>>;

/** Names of all arms of an explanation. */
export function armsOfExplanation({
  arm,
  baseline,
  steps,
  alternatives,
  responseDelay,
}: PlannedExplanation): string[] {
  const pairs = [
    { arm, baseline },
    ...steps.flatMap(({ together, alone, reverse }) => [
      together,
      alone,
      ...(reverse ? [reverse] : []),
    ]),
    ...alternatives.map((each) => each.with),
  ];
  return [
    ...new Set([
      ...pairs.flatMap((pair) => [pair.arm, pair.baseline]),
      ...(responseDelay ? [responseDelay.delayed] : []),
    ]),
  ];
}
