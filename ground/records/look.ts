import { formatFields } from './format.ts';
import * as s from './schema.ts';

const stopReasonSchema = s.oneOf(
  ['told', 'budget', 'repetitions'],
  'Why no further block was begun. told: every condition is decided; the others: the budget or the plan is used up; null: the run went on.',
);

/** Why a run begins no further block. */
export type StopReason = s.Static<typeof stopReasonSchema>;

/**
 * One look at a run whose repetitions stop by a rule. What was told at it follows from the attempts up to then and the looks before.
 */
export const lookSchema = s.object(
  {
    ...formatFields,
    invocation: s.fileName('The invocation that looked.'),
    at: s.moment('When.'),
    order: s.count('It saw the attempts up to this number in the order run.'),
    elapsedMs: s.number('What the run had taken of its budget by then, over all invocations.'),
    fraction: s.number(
      'How much of the error might have been spent by then: the share of the planned blocks that were made, 1 at the end.',
      {
        minimum: 0,
        maximum: 1,
      },
    ),
    told: s.list(
      s.object(
        {
          network: s.text('Name of the network condition.'),
          variant: s.text('Values of the factors, joined by dots.'),
        },
        'A condition.',
      ),
      'Conditions that are decided: every primary answer is precise, and no test of a single site is open. No further block of them is started.',
    ),
    end: s.orNull(stopReasonSchema),
  },
  'One look at a run whose repetitions stop by a rule, written before the next round begins.',
);

/** One line of looks.jsonl. */
export type LookRecord = s.Static<typeof lookSchema>;
