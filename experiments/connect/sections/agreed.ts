import type { ConnectionFacts } from '../../../ground/records/connection-attempt.ts';
import { html, type Markup } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText } from '../../../kit/text/number.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { allCounted, type Connection, hostCount } from './connections.ts';

type FactColumns = Readonly<Record<string, (facts: ConnectionFacts) => string | null>>;

const TLS: FactColumns = {
  TLS: ({ tlsVersion }) => tlsVersion,
  Cipher: ({ cipher }) => cipher,
  Group: ({ group }) => group,
};

const VERSIONS: FactColumns = {
  ALPN: ({ alpn }) => alpn,
  QUIC: ({ quicVersion }) => quicVersion,
  Retry: ({ retry }) => (retry === null ? null : retry ? 'yes' : 'no'),
};

const RESUMED: FactColumns = {
  Ticket: ({ resumed }) => (resumed === null ? null : resumed ? 'accepted' : 'rejected'),
  'Early data': ({ earlyData }) => earlyData,
};

/** Negotiated versions, ciphers and groups, and whether servers accepted tickets and early data. */
export const agreed: Section<RunView> = {
  isShown: (view) => connectionsWithFacts(view).length > 0,
  ...defineFoldedSection('agreed', 'Versions and ciphers', (view) => {
    const connections = connectionsWithFacts(view);
    const resuming = connections.filter(({ details }) => details?.resumption !== 'none');
    return {
      about: 'what client and servers negotiated',
      content: html`<p>The client reports these of each counted connection. A dash means that it does not report the value, or that it does not exist. Another client may negotiate another cipher with the same server, because each side has its own preferences.</p>
${factsTable(view, 'TLS version, cipher suite and group of the key exchange', TLS, connections)}
${factsTable(view, 'Application protocol and version of QUIC', VERSIONS, connections)}
${resuming.length > 0 && factsTable(view, 'Tickets and early data of the connections that resume a session', RESUMED, resuming)}`,
    };
  }),
};

function connectionsWithFacts(view: RunView): Connection[] {
  return allCounted(view).filter(({ details }) => details?.facts);
}

/** Connections of an arm with the same facts. */
interface Combination {
  arm: ShownArm;
  values: readonly (string | null)[];
  own: readonly Connection[];
}

function factsTable(
  { arms, experiment: { attempt, subject } }: RunView,
  caption: string,
  facts: FactColumns,
  connections: readonly Connection[],
): Markup {
  const byArm = Map.groupBy(connections, ({ arm }) => arm);
  return table({
    label: caption,
    caption,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ...Object.keys(facts).map(
        (heading, place): Column<Combination> => [
          heading,
          ({ values }) => html`<bdi>${values[place] ?? '–'}</bdi>`,
          'text',
        ],
      ),
      [capitalize(attempt[1]), ({ own }) => countText(own.length)],
      [capitalize(subject[1]), ({ own }) => countText(hostCount(own))],
    ],
    items: arms.flatMap((arm) => combinationsOf(arm, facts, byArm.get(arm.arm) ?? [])),
  });
}

/** The most frequent first. */
function combinationsOf(
  arm: ShownArm,
  facts: FactColumns,
  connections: readonly Connection[],
): Combination[] {
  const alike = Map.groupBy(connections, ({ details }) =>
    JSON.stringify(Object.values(facts).map((of) => (details?.facts ? of(details.facts) : null))),
  );
  return [...alike]
    .map(([key, own]) => ({ arm, values: JSON.parse(key) as (string | null)[], own }))
    .filter(({ values }) => values.some((value) => value !== null))
    .toSorted((a, b) => b.own.length - a.own.length);
}
