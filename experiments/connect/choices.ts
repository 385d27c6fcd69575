import { type OwnChoices, ownChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

const connectionChoicesSchema = s.object(
  {
    live: s.flag(
      "Whether the client connects to hosts over the machine's own network instead of local servers.",
    ),
    client: s.name('The client: a folder of clients/.'),
    requests: s.count('Number of requests over each connection, 0 or 1.', within(BOUNDS.requests)),
    requestPath: s.orNull(s.text('Path of the request; null: the page of a site, / of a host.')),
    localPort: s.orNull(s.count("The client's port; null: any.", within(BOUNDS.localPort))),
    trust: s.orNull(
      s.text(
        'Trusted certificate authorities: system (those of the machine), or a file; null: certificates are not verified.',
      ),
    ),
    asTable: s.optional(
      s.orNull(
        s.text('Table of autonomous systems, a file; null: none. Absent: before format 6.1.'),
      ),
    ),
    everyMs: s.orNull(
      s.number(
        'Interval between the starts of rounds of all hosts, in ms; null: no pause.',
        within(BOUNDS.durationMs),
      ),
    ),
  },
  'Choices of connections; absent in other experiments and before format 5.4.',
);

export type ConnectionChoices = s.Static<typeof connectionChoicesSchema>;

export const CONNECTION_CHOICES: OwnChoices<typeof connectionChoicesSchema> = {
  name: 'connections',
  schema: connectionChoicesSchema,
};

/** A plan's choices for connections; null: a plan before format 5.4. */
export function connectionsOf(plan: Parameters<typeof ownChoices>[0]): ConnectionChoices | null {
  return ownChoices(plan, CONNECTION_CHOICES);
}
