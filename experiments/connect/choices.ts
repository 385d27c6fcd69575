import { type OwnChoices, ownChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import {
  count,
  flag,
  name,
  number,
  object,
  orNull,
  type Static,
  text,
} from '../../ground/records/schema.ts';

const connectionChoicesSchema = object(
  {
    live: flag("Whether hosts are asked over the machine's own network, and no local servers."),
    client: name('The implementation that asks: bun, curl, aioquic.'),
    requests: count(
      'How many requests there are over each connection, 0 or 1.',
      within(BOUNDS.requests),
    ),
    requestPath: orNull(text('What is asked for; null: the page of a site, / of a host.')),
    localPort: orNull(count("The client's port; null: any.", within(BOUNDS.localPort))),
    trust: orNull(
      text(
        'Whose certificates are accepted: system (what the machine trusts), or a file; null: they are not checked.',
      ),
    ),
    everyMs: orNull(
      number(
        'How often a round of all hosts begins, in ms; null: one after the other.',
        within(BOUNDS.durationMs),
      ),
    ),
  },
  'What only connections have; absent in other experiments, and before format 5.4.',
);

export type ConnectionChoices = Static<typeof connectionChoicesSchema>;

/** Its part of the choices of run.json. */
export const CONNECTION_CHOICES: OwnChoices<typeof connectionChoicesSchema> = {
  name: 'connections',
  schema: connectionChoicesSchema,
};

/** What connections of a plan are like; null: it was made before they could be chosen. */
export function connectionsOf(plan: Parameters<typeof ownChoices>[0]): ConnectionChoices | null {
  return ownChoices(plan, CONNECTION_CHOICES);
}
