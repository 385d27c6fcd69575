import type { RunRecord } from '../../records/run.ts';
import { type ConditionRows, conditionText } from '../condition.ts';
import { countText } from '../number-text.ts';
import { likeForLikeOf, STACK_NOTES } from '../stacks.ts';
import { html, type Markup } from './markup.ts';
import { stackLabel } from './name.ts';

/** What was compared, over which path, and what the comparison can and cannot speak about. */
export function comparison(run: RunRecord, conditions: readonly ConditionRows[]): Markup {
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
${conditions.map((condition) => network(run, condition))}
</section>`;
}

function network(run: RunRecord, { condition }: ConditionRows): Markup {
  const heading = html`<h3>Network: ${conditionText(condition)}</h3>`;
  if (condition.backend !== 'loopback') {
    return html`${heading}<p>Path made by: ${condition.backend ?? 'unknown, no load was made'}.</p>`;
  }
  const { loopbackMtu, tcpCongestionControl } = run.host;
  return html`${heading}
<p>Browser and servers ran on one machine and spoke over its loopback device, with nothing added: no delay, no rate limit,
no loss. <strong>A round trip there takes next to no time, so the round trips that QUIC's shorter handshake saves are worth
next to nothing in these numbers.</strong> They show what the browser and the servers cost in processing, not what a user
far from a server would see.</p>
<ul>
<li>Largest packet (MTU) of the loopback device: ${loopbackMtu === null ? 'unknown' : `${countText(loopbackMtu)} bytes`}.
${
  loopbackMtu !== null &&
  loopbackMtu > 9000 &&
  'TCP fills packets of that size, so a whole page may go out in one first flight; QUIC keeps to packets of the size that the Internet takes (about 1,500 bytes at most). On a real path both use the small ones.'
}</li>
<li>TCP congestion control of the machine: ${tcpCongestionControl ?? 'unknown'}.</li>
</ul>`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
