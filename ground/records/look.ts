import { formatFields } from './format.ts';
import * as s from './schema.ts';

const stopReasonSchema = s.oneOf(
  ['decided', 'budget', 'repetitions'],
  'Why no further block began: all conditions are decided, or the budget or the plan is used up. null: the run continued.',
);

/** Why a run stopped. */
export type StopReason = s.Static<typeof stopReasonSchema>;

/** A look: an interim analysis of sequential stopping. Its decisions follow from the attempts so far and earlier looks. */
export const lookSchema = s.object(
  {
    ...formatFields,
    invocation: s.fileName('The invocation that made the look.'),
    at: s.moment('When the look was made.'),
    order: s.count('Order of the last attempt that the look used.'),
    elapsedMs: s.number('Time spent by then over all invocations, in ms.'),
    fraction: s.number(
      'Information fraction of error spending: the share of the planned blocks that were made, 1 at the end.',
      {
        minimum: 0,
        maximum: 1,
      },
    ),
    decided: s.list(
      s.object(
        {
          network: s.text('Name of the network condition.'),
          variant: s.text('Values of the factors, joined by dots.'),
        },
        'A condition.',
      ),
      'Decided conditions: every primary result is precise, and no test of a single site is open. No further block of them begins.',
    ),
    end: s.orNull(stopReasonSchema),
  },
  'One look of sequential stopping, written before the next round begins.',
);

/** One line of looks.jsonl. */
export type LookRecord = s.Static<typeof lookSchema>;
