import type { ConnectionFacts } from '../../../ground/records/connection-attempt.ts';
import { html, type Markup, scrollRegion } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText } from '../../../kit/text/number.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { allCounted, type Connection, hostCount } from './connections.ts';

/** What a client tells of a connection that was made, in words. */
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
  Ticket: ({ resumed }) => (resumed === null ? null : resumed ? 'taken' : 'refused'),
  'Early data': ({ earlyData }) => earlyData,
};

/** Versions, ciphers and groups that client and servers agreed on, and which servers took tickets and early data. */
export const agreed: Section<RunView> = {
  isShown: (view) => connectionsWithFacts(view).length > 0,
  ...defineFoldedSection('agreed', 'Versions and ciphers', (view) => {
    const connections = connectionsWithFacts(view);
    const asked = connections.filter(({ details }) => details?.resumption !== 'none');
    return {
      about: 'what client and servers agreed on',
      content: html`<p>Of the connections that count, what the client tells of them; a dash stands where it does not tell, or there is no such thing. Each side has its own order of preference: other clients may agree on other ciphers with the same server.</p>
${table(view, 'TLS version, cipher suite and group of the key exchange', TLS, connections)}
${table(view, 'Protocol on top, and version of QUIC', VERSIONS, connections)}
${asked.length > 0 && table(view, 'Of the connections that were to resume a session: what became of ticket and early data', RESUMED, asked)}`,
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

/** Each combination that an arm's connections have, the most frequent one first. */
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
