import type { RunRecord } from '../../records/run.ts';
import { likeForLikeOf, STACK_NOTES } from '../stacks.ts';
import { html, type Markup } from './markup.ts';
import { stackLabel } from './name.ts';

/** What was compared, and what the comparison can and cannot speak about. */
export function comparison(run: RunRecord): Markup {
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
</section>`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
