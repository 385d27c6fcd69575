import type { RunRecord } from '../../records/run.ts';
import type { NetworkSummary } from '../network-summary.ts';
import { likeForLikeOf, STACK_NOTES } from '../stacks.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';
import { stackLabel } from './name.ts';

/** What was compared, and what the comparison can and cannot speak about. */
export function comparison(run: RunRecord, { networks }: Summary): Markup {
  const pair = likeForLikeOf(run.stacks);
  const others = run.stacks.filter((stack) => !pair?.includes(stack));
  return html`<section aria-labelledby="compared">
<h2 id="compared">What was compared</h2>
<p>A stack is a server program together with the protocol that it speaks. Each page load is cold: a fresh browser with an
empty cache and no connection, so every handshake is in it. All stacks send the same bytes and the same headers.</p>
<ul>
${run.stacks.map(
  ({ stack, label, protocol }, index) =>
    html`<li>${stackLabel('', index)}<strong>${label}</strong>. ${STACK_NOTES[stack] ?? `The stack ${stack}, protocol ${protocol}.`}</li>
`,
)}</ul>
${
  pair
    ? html`<p><strong>The like-for-like pair is ${pair[0].label} and ${pair[1].label}</strong>: one server program, two
protocols. A difference between these two speaks about the protocols as this program implements them.${
        others.length > 0 &&
        html` ${listed(others.map(({ label }) => label))} ${others.length === 1 ? 'is' : 'are'} another server program as well as
another protocol: a difference to ${others.length === 1 ? 'it' : 'them'} cannot be put down to the protocol alone.`
      }</p>`
    : html`<p><strong>This run has no like-for-like pair.</strong> Its stacks differ in more than the protocol, so a
difference between them cannot be put down to the protocol alone.</p>`
}
${withoutDelay(networks)}
<p>${networks.length > 1 ? BETWEEN_NETWORKS : ONE_NETWORK}</p>
</section>`;
}

const BETWEEN_NETWORKS = html`<strong>Between two networks of this run</strong> only the numbers of the path were changed. A difference between them, for one site and one stack, may be put down to these numbers together, and to one of them alone only where no other number differs. A site’s networks had their loads one after the other, not in turn as the stacks had: slow drift of the machine can stand between two networks, but hardly between two stacks over one network.`;

const ONE_NETWORK =
  'The run has one network. It does not tell how a difference between stacks depends on the network.';

/** What the numbers of a path without delay are worth. */
function withoutDelay(networks: readonly NetworkSummary[]): Markup | false {
  const found = networks.find(
    ({ rttMs, downKbps, upKbps }) => rttMs === 0 && downKbps === null && upKbps === null,
  );
  if (!found) return false;
  const rtt = found.calibration.udpRttMs;
  return html`<p><strong>Without added delay a round trip takes ${rtt ? `about ${rtt.median.toFixed(1)} ms` : 'next to no time'}, so the
round trips that QUIC's shorter handshake saves are worth next to nothing there.</strong> Such numbers show what the browser
and the servers cost in processing, not what a user far from a server would see.</p>`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
