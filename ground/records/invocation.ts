import { formatFields } from './format.ts';
import { backendSchema } from './network.ts';
import { hostSchema, versionsSchema } from './run.ts';
import { fileName, list, moment, object, orNull, type Static, text } from './schema.ts';

export const invocationSchema = object(
  {
    ...formatFields,
    id: fileName('Unique in the run, also after merging.'),
    machine: fileName('Name of the machine: attempts on different machines are never compared.'),
    startedAt: moment('When the invocation began.'),
    command: list(text(''), 'The options as given by the user.'),
    part: orNull(
      text('Which part of the plan it was to do: shard 2/4, queue; null: all that was left of it.'),
    ),
    host: orNull(hostSchema, 'The machine at the start; null: not known, it was read from a file.'),
    versions: versionsSchema,
    backend: backendSchema,
    differences: list(
      text(''),
      'What is not as it was when the run began, as sentences: the user chose to resume it regardless.',
    ),
  },
  'One invocation of a run on one machine: its start, a later one that resumed it, or a machine’s part of a campaign; written before its first attempt.',
);

/** One line of invocations.jsonl. */
export type InvocationRecord = Static<typeof invocationSchema>;
