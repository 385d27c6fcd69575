import { connectionsSchema } from './connection.ts';
import { factorsSchema } from './factors.ts';
import { filmedSchema } from './filmed.ts';
import { formatFields } from './format.ts';
import { machineUseSchema } from './machine-use.ts';
import { networkSchema, pathCountsSchema } from './network.ts';
import { protocolSchema } from './protocol.ts';
import * as s from './schema.ts';

const outcomeSchema = s.oneOf(
  ['ok', 'failed', 'invalid', 'unsupported'],
  'Outcome of the attempt. failed: it did not complete; invalid: it completed, but not under the intended conditions; unsupported: the peer lacks the feature.',
);

export type Outcome = s.Static<typeof outcomeSchema>;

const clientSchema = s.object(
  {
    id: s.fileName('Its arm and a number, such as lsquic-h3.1; unique in an invocation.'),
    attemptsBefore: s.count('Number of its earlier attempts, including warm-ups.'),
    ageMs: s.number('Time since its start, in ms.'),
  },
  'The client program.',
);

/** The client program: kept for many attempts, like a browser, or started for each. */
export type ClientRecord = s.Static<typeof clientSchema>;

const fields = {
  ...formatFields,
  id: s.fileName('Unique in the run; also the base name of its files.'),
  order: s.count('1, 2, 3 ... in the order of execution.'),
  experiment: s.name('Name of the experiment, as in run.json.'),
  subject: s.fileName('A subject of the run.'),
  arm: s.fileName('An arm of the run.'),
  stack: s.fileName("The arm's server stack."),
  protocol: protocolSchema,
  network: networkSchema,
  factors: factorsSchema,
  repetition: s.count('1 to n; 0 in a warm-up.'),
  block: s.count(
    'A block has every arm once, in random order. 1 to n for each condition of the subject; 0 in a warm-up and in a filmed load.',
  ),
  warmup: s.flag('Kept, but excluded from all statistics; also set in filmed loads.'),
  filmed: filmedSchema,
  client: s.orNull(clientSchema, 'The client program; null: not started.'),
  outcome: outcomeSchema,
  code: s.orNull(s.text('Failure code; null when ok.')),
  message: s.orNull(s.text('Failure as a sentence; null when ok.')),
  metrics: s.map(
    s.orNull(s.anyNumber('')),
    "The experiment's metrics, unrounded, by names that end with their units; null: no value.",
  ),
  path: s.orNull(pathCountsSchema, 'Traffic over the path during the attempt; null: not counted.'),
  connections: s.orNull(
    connectionsSchema,
    "The client's connections, from their handshakes on the path; null: not observed.",
  ),
  machine: s.orNull(machineUseSchema, 'Use of the machine during the attempt; null: not measured.'),
  disturbed: s.orNull(
    s.text(
      "Why the run's rule counts the attempt as disturbed, or that the path was late at its last calibration, in sentences; null: undisturbed.",
    ),
  ),
  stepsMs: s.map(s.number('In ms.'), 'Duration of each step around the attempt, by name.'),
  files: s.map(
    s.filePath(''),
    "Kind of file (har, packets ...) to its path in the run's folder; only kept files.",
  ),
  startedAt: s.moment('When the attempt began.'),
  attempt: s.count('1, or more after a repetition of the block; every attempt has its own line.'),
  invocation: s.fileName('Id of its invocation in invocations.jsonl.'),
};

/** Schema of an attempt with an experiment's `details`, which are null where it never began. */
export const observationSchema = <Details extends s.TSchema>(details: Details) =>
  s.object(
    { ...fields, details: s.orNull(details, "The experiment's own fields; null: never begun.") },
    'One attempt, written when it ends.',
  );

type Fields = s.Static<ReturnType<typeof observationSchema<s.TSchema>>>;

/** One attempt at a trial: one line of the experiment's record file. */
export type Observation<Details = unknown> = Omit<Fields, 'details'> & {
  details: Details | null;
};
