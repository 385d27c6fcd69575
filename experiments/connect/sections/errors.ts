import { type ConnectDetails, LAYERS } from '../../../ground/records/connection-attempt.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Group, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, countWithNoun } from '../../../kit/text/number.ts';
import { shorten } from '../../../kit/text/terminal.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { type Connection, hostCount } from './connections.ts';

type FailedConnection = Connection & {
  details: ConnectDetails & { error: NonNullable<ConnectDetails['error']> };
};

const LAYER_TEXTS: Readonly<Record<(typeof LAYERS)[number], string>> = {
  client: 'the client does not support it',
  dns: 'the name, or an address of it',
  udp: 'no response',
  tcp: 'no connection',
  tls: 'alerts and certificates',
  quic: 'errors of QUIC',
  http: 'the response',
};

const OUTCOMES = {
  unsupported: 'Not supported',
  failed: 'Failed',
  invalid: 'Invalid',
} as const;

const MOST_CHARACTERS = 200;

export const errors: Section<RunView> = {
  isShown: (view) => failedOf(view).length > 0,
  ...defineFoldedSection('errors', 'Errors by layer', (view) => {
    const failed = failedOf(view);
    return {
      about: aboutText(failed),
      content: html`<p>Attempts that ended in an error, without warm-ups, by the layer that reported it. <em>Not supported</em>: client or server does not support the requested connection, so this is neither a failure nor a timeout.
The last column has the first error in full.</p>
${errorsTable(view, failed)}`,
    };
  }),
};

function failedOf({ conditions }: RunView): FailedConnection[] {
  const loads = conditions.flatMap((condition) => condition.loads as readonly Connection[]);
  return loads.filter((load): load is FailedConnection =>
    Boolean(load.outcome !== 'ok' && load.details?.error),
  );
}

function aboutText(failed: readonly FailedConnection[]): string {
  return Object.entries(OUTCOMES)
    .flatMap(([outcome, words]) => {
      const count = failed.filter((each) => each.outcome === outcome).length;
      return count > 0 ? [`${countText(count)} ${words.toLowerCase()}`] : [];
    })
    .join(', ');
}

function errorsTable({ arms, experiment }: RunView, failed: readonly FailedConnection[]): Markup {
  const { attempt, subject } = experiment;
  return table({
    label: 'Errors by layer',
    caption: `${capitalize(attempt[1])} that ended in an error, by layer, code and stack`,
    columns: [
      ['Code', ({ first }) => html`<code>${first.details.error.code}</code>`],
      ['Outcome', ({ first }) => (first.outcome === 'ok' ? '' : OUTCOMES[first.outcome]), 'text'],
      ['Stack', ({ arm }) => stackLabel(arm), 'text'],
      [capitalize(attempt[1]), ({ own }) => countText(own.length)],
      [capitalize(subject[1]), ({ own }) => countText(hostCount(own))],
      [
        'First error',
        ({ first }) =>
          html`${nameOf(first.subject)}: <bdi>${shorten(first.details.error.reason, MOST_CHARACTERS)}</bdi>`,
        'text wrap',
      ],
    ],
    groups: LAYERS.flatMap((layer): Group<CodeErrors>[] => {
      const own = failed.filter(({ details }) => details.error.layer === layer);
      const heading = html`<code>${layer}</code> <span class="quiet">${LAYER_TEXTS[layer]}: ${countWithNoun(own.length, ...attempt)} to ${countWithNoun(hostCount(own), ...subject)}</span>`;
      return own.length === 0 ? [] : [[heading, codesOf(arms, own)]];
    }),
  });
}

interface CodeErrors {
  arm: ShownArm;
  own: readonly FailedConnection[];
  first: FailedConnection;
}

/** Errors by code, outcome and arm; the most frequent code first. */
function codesOf(arms: readonly ShownArm[], failed: readonly FailedConnection[]): CodeErrors[] {
  const codes = Map.groupBy(failed, ({ details, outcome }) =>
    JSON.stringify([details.error.code, outcome]),
  );
  return [...codes.values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((ofCode) => {
      const byArm = Map.groupBy(ofCode, ({ arm }) => arm);
      return arms.flatMap((arm) => {
        const own = byArm.get(arm.arm) ?? [];
        const [first] = own;
        return first ? [{ arm, own, first }] : [];
      });
    });
}
