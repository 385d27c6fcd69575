import { html, type Markup } from '../../../kit/page/markup.ts';
import { counted, decimalText } from '../../../kit/text/number.ts';
import { type BesidePublished, PUBLISHED_PROTOCOLS } from './beside-published.ts';
import { LEAST_ROUND_TRIPS } from './findings.ts';
import { SIDE_LABELS } from './words.ts';

/** What the marks of the site table mean, and every number that has one. */
export function marks({ subjects, arms }: BesidePublished): Markup {
  const cut = subjects.flatMap(({ subject, published }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const { printed, cutFromMs } = published[protocol];
      if (cutFromMs === null) return [];
      return `${subject} by ${SIDE_LABELS[protocol]}: printed ${printed[0]}, mean ${cutFromMs.toFixed(3)} ms`;
    }),
  );
  const notPossible = subjects.flatMap(({ subject, published, ours }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const sides = [
        { name: SIDE_LABELS[protocol], added: published[protocol].added },
        { name: `${arms[protocol]?.label} of this run`, added: ours[protocol].added },
      ];
      return sides.flatMap(({ name, added }) =>
        added?.implausible ? `${subject} by ${name} ${added.implausible}` : [],
      );
    }),
  );
  return html`<ul class="marks">
<li><strong>† Cut, not rounded</strong>: the mean of the published single loads would be rounded up, the report’s table only drops the
further digits. All other averages without delay are rounded as they should be. ${itemised(cut)}</li>
<li><strong>‡ Not possible as a cost of the delay</strong>: a request waits for at least one round trip, so 30 ms added cannot cost less than 30 ms. Marked is what is below ${decimalText(LEAST_ROUND_TRIPS)} RTT; what is nearer to 1 may be noise of the means. Either the
delay was not in force, or the noise was larger than the delay, or the loads were not comparable. ${itemised(notPossible)}</li>
</ul>`;
}

function itemised(items: readonly string[]): Markup {
  return html`${counted(items.length, 'number')}${items.length === 0 ? '.' : html`:<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}
