import { formatFields } from './format.ts';
import { backendSchema } from './network.ts';
import { revisionSchema } from './revision.ts';
import { hostSchema, versionsSchema } from './run.ts';
import * as s from './schema.ts';

export const invocationSchema = s.object(
  {
    ...formatFields,
    id: s.fileName('Unique in the run, also after merging.'),
    machine: s.fileName('Name of the machine; attempts on different machines are never compared.'),
    startedAt: s.moment('When the invocation began.'),
    command: s.list(s.text(''), 'The options as given by the user.'),
    part: s.orNull(
      s.text('Assigned part of the plan: shard 2/4, queue; null: all remaining attempts.'),
    ),
    host: s.orNull(hostSchema, 'The machine at the start; null: unknown, the run was imported.'),
    versions: versionsSchema,
    revision: s.optional(revisionSchema),
    backend: backendSchema,
    differences: s.list(
      s.text(''),
      'Differences from the start of the run, as sentences, despite which the user resumed it.',
    ),
  },
  'One invocation of a run on one machine: its start, a resumption, or a machine’s part of a campaign; written before its first attempt.',
);

/** One line of invocations.jsonl. */
export type InvocationRecord = s.Static<typeof invocationSchema>;
