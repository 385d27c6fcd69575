import { html, type Markup } from '../../report/page/markup.ts';
import { conditionTitle, scrolling } from '../../report/page/name.ts';
import { foldedSection, type Section } from '../../report/page/section.ts';
import { stackLabel } from '../../report/page/stack.ts';
import type { RunView } from '../run-view.ts';

type Condition = RunView['conditions'][number];

/** Medians beside the round trips that handshakes wait for: what is left is the work of both ends. */
export const handshakes: Section<RunView> = {
  id: 'handshakes',
  title: 'Handshakes',
  // Without a round-trip time there is nothing to set times beside.
  isShown: ({ conditions }) =>
    conditions.some(({ rows }) => rows.some(({ network }) => network.measuredRttMs !== null)),
  render: ({ arms, conditions }, id) =>
    foldedSection(id, {
      title: 'Round trips of the handshakes',
      about: 'what of each time the network accounts for',
      content: html`<p>A full handshake by QUIC waits for one round trip until the client may send (RFC 9001); TCP waits for one, and TLS 1.3 on top
of it for another one (RFC 8446), so for two together. What these do not account for is the work of client and server, and packets that were lost.</p>
${scrolling(
  'Round trips of the handshakes',
  html`<table><caption>Median time in ms until the client may send, over the sites’ medians, and what the round trips of the protocol take of it at the round-trip time measured</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col">Median</th><th scope="col">Round trips</th><th scope="col">They take</th><th scope="col">The rest</th></tr></thead>
${conditions.map((condition) => conditionRows(condition, arms))}</table>`,
)}`,
    }),
};

/** Until the client may send, by the protocol on top; TLS is of version 1.3. */
export function handshakeRoundTrips(protocol: string): number {
  return protocol === 'h3' ? 1 : 2;
}

function conditionRows(condition: Condition, arms: RunView['arms']): Markup {
  return html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="5">${conditionTitle(condition)}</th></tr>
${arms.map((arm) => armRow(condition, arm))}</tbody>
`;
}

function armRow({ overview, rows }: Condition, arm: RunView['arms'][number]): Markup | null {
  const own = rows.filter((row) => row.arm === arm.arm);
  const [first] = own;
  if (first === undefined) return null;
  const medianMs = overview.arms.find((each) => each.arm === arm.arm)?.medianOfSiteMediansMs;
  const measuredMs = own.flatMap(({ network }) => network.measuredRttMs ?? []);
  const roundTrips = handshakeRoundTrips(first.protocol);
  const tripsMs =
    measuredMs.length === 0
      ? null
      : (roundTrips * measuredMs.reduce((sum, ms) => sum + ms, 0)) / measuredMs.length;
  const restMs = tripsMs === null || medianMs == null ? null : medianMs - tripsMs;
  return html`<tr><th scope="row">${stackLabel(arm)}</th><td>${msText(medianMs)}</td><td>${roundTrips}</td><td>${msText(tripsMs)}</td><td>${msText(restMs)}</td></tr>
`;
}

function msText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : ms.toFixed(1).replace('-', '−');
}
