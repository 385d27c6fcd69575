import { type ConnectDetails, LAYERS } from '../../../ground/records/connection-attempt.ts';
import { html, type Markup, nameOf, scrolling } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { capital } from '../../../kit/text/capital.ts';
import { counted, countText } from '../../../kit/text/number.ts';
import { shortened } from '../../../kit/text/terminal.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { type Connection, hostCount } from './connections.ts';

type FailedConnection = Connection & {
  details: ConnectDetails & { error: NonNullable<ConnectDetails['error']> };
};

const LAYER_TEXTS: Readonly<Record<(typeof LAYERS)[number], string>> = {
  client: 'the program that asks cannot do it',
  dns: 'the name, or an address of it',
  udp: 'no answer at all',
  tcp: 'no connection',
  tls: 'alerts and certificates',
  quic: 'what QUIC says of itself',
  http: 'the answer',
};

const OUTCOMES = {
  unsupported: 'Not supported',
  failed: 'Failed',
  invalid: 'Invalid',
} as const;

const MOST_CHARACTERS = 200;

export const errors: Section<RunView> = {
  isShown: (view) => failedOf(view).length > 0,
  ...folded('errors', 'Errors by layer', (view) => {
    const failed = failedOf(view);
    return {
      about: aboutText(failed),
      content: html`<p>Every attempt but warm-ups that ended in an error, at the layer that said so. <em>Not supported</em>: the other side cannot do what was asked for at all, which is no fault of the network and no time that never came.
The last column has the first of them as it happened.</p>
${scrolling('Errors by layer', table(view, failed))}`,
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

function table(view: RunView, failed: readonly FailedConnection[]): Markup {
  const { attempt, subject } = view.experiment;
  const layers = LAYERS.flatMap((layer) => {
    const own = failed.filter(({ details }) => details.error.layer === layer);
    return own.length > 0 ? [{ layer, own }] : [];
  });
  return html`<table><caption>${capital(attempt[1])} that ended in an error, by layer, code and stack</caption>
<thead><tr><th scope="col" class="text">Code</th><th scope="col" class="text">Outcome</th><th scope="col" class="text">Stack</th><th scope="col">${capital(attempt[1])}</th><th scope="col">${capital(subject[1])}</th><th scope="col" class="text">First of them</th></tr></thead>
${layers.map(
  ({
    layer,
    own,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="6"><code>${layer}</code> <span class="quiet">${LAYER_TEXTS[layer]}: ${counted(own.length, ...attempt)} to ${counted(hostCount(own), ...subject)}</span></th></tr>
${rows(view.arms, own)}</tbody>`,
)}</table>`;
}

/** Each code and outcome of each arm, the most frequent code first. */
function rows(arms: readonly ShownArm[], failed: readonly FailedConnection[]): Markup[] {
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
        if (!first) return [];
        const { code, reason } = first.details.error;
        const outcome = first.outcome === 'ok' ? '' : OUTCOMES[first.outcome];
        return [
          html`<tr><th scope="row"><code>${code}</code></th><td class="text">${outcome}</td><td class="text">${stackLabel(arm)}</td><td>${countText(own.length)}</td><td>${countText(hostCount(own))}</td><td class="text wrap">${nameOf(first.subject)}: <bdi>${shortened(reason, MOST_CHARACTERS)}</bdi></td></tr>`,
        ];
      });
    });
}
