import { connectionsSchema } from './connection.ts';
import { factorsSchema } from './factors.ts';
import { formatFields } from './format.ts';
import { machineUseSchema } from './machine-use.ts';
import { networkSchema, pathCountsSchema } from './network.ts';
import { protocolSchema } from './protocol.ts';
import * as s from './schema.ts';

const outcomeSchema = s.oneOf(
  ['ok', 'failed', 'invalid', 'unsupported'],
  'Whether the attempt was what was asked for. failed: it did not come to its end; invalid: it did, but was not what was asked for; unsupported: the other side cannot do it at all.',
);

export type Outcome = s.Static<typeof outcomeSchema>;

const clientSchema = s.object(
  {
    id: s.fileName(
      'Its arm and a number, lsquic-h3.1: unique among those that were started in an invocation.',
    ),
    attemptsBefore: s.count('How many attempts it had made before, warm-ups included.'),
    ageMs: s.number('How long ago it was started, in ms.'),
  },
  'The program that asked.',
);

/** The program that asked: a browser that is kept for many attempts, or one of its own for each. */
export type ClientRecord = s.Static<typeof clientSchema>;

const fields = {
  ...formatFields,
  id: s.fileName('Unique in the run; also the name of its files.'),
  order: s.count('1, 2, 3 ... in the order actually run.'),
  experiment: s.name('What was measured, as in run.json.'),
  subject: s.fileName('A subject of the run.'),
  arm: s.fileName('An arm of the run.'),
  stack: s.fileName("The arm's server stack."),
  protocol: protocolSchema,
  network: networkSchema,
  factors: factorsSchema,
  repetition: s.count('1 to n; 0 in a warm-up.'),
  block: s.count(
    'Every arm once, shuffled: 1 to n for each condition of the subject; 0 in a warm-up.',
  ),
  warmup: s.flag('Made, kept, and left out of every statistic.'),
  client: s.orNull(clientSchema, 'The program that asked; null: there was none.'),
  outcome: outcomeSchema,
  code: s.orNull(s.text('Why it is not ok, in one word; null when ok.')),
  message: s.orNull(s.text('The same as a sentence; null when ok.')),
  metrics: s.map(
    s.orNull(s.anyNumber('')),
    "The experiment's metrics by their names, unrounded, with their units in the names; null: the attempt has no such number.",
  ),
  path: s.orNull(
    pathCountsSchema,
    'What went over the path from the beginning of the attempt to its end; null: not counted.',
  ),
  connections: s.orNull(
    connectionsSchema,
    "The client's connections, as their handshakes were seen on the path; null: not observed.",
  ),
  machine: s.orNull(
    machineUseSchema,
    'What was taken of the machine while the attempt went on; null: not watched.',
  ),
  disturbed: s.orNull(
    s.text(
      "Why the machine was not quiet during this attempt by the run's own rule, or that the path was late when it was measured before, in sentences; null: it was quiet.",
    ),
  ),
  stepsMs: s.map(
    s.number('In ms.'),
    'How long each step around the attempt took: what it costs beside its result.',
  ),
  files: s.map(
    s.filePath(''),
    "Kind of file (har, packets ...) to its path relative to the run's folder, as long as it is kept.",
  ),
  startedAt: s.moment('When the attempt began.'),
  attempt: s.count('1, or more when it was tried again; every attempt is a line of its own.'),
  invocation: s.fileName('In which invocation it was made: an id of invocations.jsonl.'),
};

/** One attempt at a trial of any experiment; what only its own has stands under `details`, null where it was never begun. */
export const observationSchema = <Details extends s.TSchema>(details: Details) =>
  s.object(
    { ...fields, details: s.orNull(details, 'What only this experiment has; null: never begun.') },
    'One attempt, written as soon as it ended.',
  );

type Fields = s.Static<ReturnType<typeof observationSchema<s.TSchema>>>;

/** One attempt at a trial: one line of the experiment's file. */
export type Observation<Details = unknown> = Omit<Fields, 'details'> & {
  details: Details | null;
};
