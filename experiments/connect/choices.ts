import { type OwnChoices, ownChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

const connectionChoicesSchema = s.object(
  {
    live: s.flag("Whether hosts are asked over the machine's own network, and no local servers."),
    client: s.name('The client: a folder of clients/.'),
    requests: s.count(
      'How many requests there are over each connection, 0 or 1.',
      within(BOUNDS.requests),
    ),
    requestPath: s.orNull(s.text('What is asked for; null: the page of a site, / of a host.')),
    localPort: s.orNull(s.count("The client's port; null: any.", within(BOUNDS.localPort))),
    trust: s.orNull(
      s.text(
        'Whose certificates are accepted: system (what the machine trusts), or a file; null: they are not checked.',
      ),
    ),
    everyMs: s.orNull(
      s.number(
        'How often a round of all hosts begins, in ms; null: one after the other.',
        within(BOUNDS.durationMs),
      ),
    ),
  },
  'What only connections have; absent in other experiments, and before format 5.4.',
);

export type ConnectionChoices = s.Static<typeof connectionChoicesSchema>;

/** Its part of the choices of run.json. */
export const CONNECTION_CHOICES: OwnChoices<typeof connectionChoicesSchema> = {
  name: 'connections',
  schema: connectionChoicesSchema,
};

/** What connections of a plan are like; null: it was made before they could be chosen. */
export function connectionsOf(plan: Parameters<typeof ownChoices>[0]): ConnectionChoices | null {
  return ownChoices(plan, CONNECTION_CHOICES);
}
