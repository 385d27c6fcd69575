import type { ConnectionFacts } from '../../../ground/records/connection-attempt.ts';
import { html, type Markup, scrollRegion } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
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
${table(view, 'TLS version, cipher suite and group of the key exchange', TLS, connections)}
${table(view, 'Application protocol and version of QUIC', VERSIONS, connections)}
${resuming.length > 0 && table(view, 'Tickets and early data of the connections that resume a session', RESUMED, resuming)}`,
    };
  }),
};

function connectionsWithFacts(view: RunView): Connection[] {
  return allCounted(view).filter(({ details }) => details?.facts);
}

function table(
  view: RunView,
  caption: string,
  agreement: FactColumns,
  connections: readonly Connection[],
): Markup {
  const byArm = Map.groupBy(connections, ({ arm }) => arm);
  const [, several] = view.experiment.subject;
  return scrollRegion(
    caption,
    html`<table><caption>${caption}</caption>
<thead><tr><th scope="col" class="text">Stack</th>${Object.keys(agreement).map((heading) => html`<th scope="col" class="text">${heading}</th>`)}<th scope="col">${capitalize(view.experiment.attempt[1])}</th><th scope="col">${capitalize(several)}</th></tr></thead>
<tbody>
${view.arms.map((arm) => rows(arm, agreement, byArm.get(arm.arm) ?? []))}</tbody></table>`,
  );
}

/** Each combination of an arm's connections, most frequent first. */
function rows(arm: ShownArm, agreement: FactColumns, connections: readonly Connection[]): Markup[] {
  const combinations = Map.groupBy(connections, ({ details }) =>
    JSON.stringify(
      Object.values(agreement).map((of) => (details?.facts ? of(details.facts) : null)),
    ),
  );
  return [...combinations]
    .filter(([key]) => !/^\[null(,null)*\]$/.test(key))
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(
      ([key, own]) =>
        html`<tr><th scope="row">${stackLabel(arm)}</th>${(JSON.parse(key) as (string | null)[]).map((text) => html`<td class="text"><bdi>${text ?? '–'}</bdi></td>`)}<td>${countText(own.length)}</td><td>${countText(hostCount(own))}</td></tr>`,
    );
}
