import { conditionTitle, html, type Markup } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { allCounted, type Connection, countedOf, hostMedians } from './connections.ts';

/** In chronological order. */
const MEANINGS = {
  tcpMs: [
    'TCP',
    'The TCP handshake is complete, after one round trip. Nothing is encrypted yet. QUIC has no such step.',
  ],
  maySendMs: [
    'May send',
    'The client has the keys to send a request. A user waits for this before any request.',
  ],
  completeMs: [
    'Complete',
    'The client has received the whole handshake. This is about the instant when it may send, except with early data and with TLS 1.2 and False Start, where it may send before.',
  ],
  confirmedMs: [
    'Confirmed',
    'The client knows that the server has received the whole handshake: with QUIC a round trip later. TLS on TCP has no such instant.',
  ],
  firstByteMs: [
    'First byte',
    'The first byte of the response has arrived: a round trip and the server’s own time after the request.',
  ],
  totalMs: ['Whole response', 'The last byte of the response has arrived.'],
} as const;

export type Instant = keyof typeof MEANINGS;

const INSTANT_NAMES = Object.keys(MEANINGS) as Instant[];

export function instantWord(instant: Instant): string {
  return MEANINGS[instant][0];
}

export function instantsOf(connections: readonly Connection[]): Instant[] {
  return INSTANT_NAMES.filter((instant) =>
    connections.some(({ metrics }) => (metrics[instant] ?? null) !== null),
  );
}

/** The instants of connections side by side, because times until different instants must not be compared. */
export const instants: Section<RunView> = {
  isShown: (view) => instantsOf(allCounted(view)).length > 1,
  ...defineFoldedSection('instants', 'Instants', (view) => {
    const shown = instantsOf(allCounted(view));
    return {
      title: 'Instants of a connection',
      about: 'possible ends of the time of a handshake, side by side',
      content: html`<p>The time of a handshake can end at any of these instants, and round trips lie between them. Published comparisons compare one instant of QUIC with another one of TLS,
so a number means nothing without its instant. The verdicts of this run are about the ${view.metric.phrase}, which <a href="#charts">the charts</a> show.</p>
<dl class="definitions">
${shown.map(
  (instant) => html`<dt>${instantWord(instant)}</dt><dd>${MEANINGS[instant][1]}</dd>`,
)}</dl>
${instantsTable(view, shown)}`,
    };
  }),
};

function instantsTable(view: RunView, shown: readonly Instant[]): Markup {
  const [one, several] = view.experiment.subject;
  return table({
    label: 'Instants of a connection',
    caption: `Median over the ${several} of each ${one}’s median, in ms since the connection request`,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ...shown.map(
        (instant): Column<{ arm: ShownArm; own: readonly Connection[] }> => [
          instantWord(instant),
          ({ own }) => millisecondsText(median([...hostMedians(own, instant).values()])),
          instant === view.metric.name ? 'main' : '',
        ],
      ),
    ],
    groups: view.conditions.map((condition) => {
      const byArm = Map.groupBy(countedOf(view, condition), ({ arm }) => arm);
      return [
        conditionTitle(condition),
        view.arms.map((arm) => ({ arm, own: byArm.get(arm.arm) ?? [] })),
      ];
    }),
  });
}
