import { experimentOf } from '../../experiments/index.ts';
import { chosenBefore } from '../../options/benchmark.ts';
import { ISOLATIONS } from '../../options/loads.ts';
import type { RunRecord } from '../../records/run.ts';
import { momentText } from '../text/moment-text.ts';
import { counted, countText } from '../text/number.ts';
import { whyMethod } from './why-method.ts';
import { foldedSection } from '../page/section.ts';
import { html, type Markup } from '../page/markup.ts';
import { scrolling } from '../page/name.ts';

/** How the run was made, enough to make it again: method, command, machine, versions, definitions. */
export function howItWasRun(run: RunRecord): Markup {
  const { host } = run;
  const options = run.command.map((word) => html` <bdi>${shellWord(word)}</bdi>`);
  return foldedSection('method', {
    title: 'How it was run',
    about: 'command, machine, versions, and what every number means',
    content: html`<p>One page load at a time, each in ${ISOLATIONS[run.choices.isolation]}. A browser that was just started runs QUIC’s code cold; TCP’s is in the kernel and
always warm. That made QUIC look 3 % slower than in a browser that was running, where the two were compared. ${
      run.choices.order === 'shuffled'
        ? `The loads came in blocks: every block has
each stack once for a site over one network, in balanced orders drawn from the seed, so that slow drift of the machine meets all
stacks alike.`
        : html`<strong>The stacks did not take turns</strong>: for each site over each network, all loads of one stack came before those of
the next one. Loads with the same number are a block all the same, so slow drift of the machine can look like a difference of stacks.`
    } Where packets are lost on purpose, all loads of a block meet a path that draws its losses from the same seed.</p>
<pre><code>npm run benchmark${options.length > 0 && html` --${options}`}</code></pre>
<h3>What the times mean</h3>
<dl class="definitions">
${experimentOf(run).metrics.map(
  ({ label, definition, source }) =>
    html`<dt>${label}</dt><dd>${definition} <span class="quiet">Source: ${source}.</span></dd>
`,
)}</dl>
<h3>What a page load time is made of</h3>
${whyMethod()}
<div class="fact-tables">
${facts('The run', [
  ['Run', run.runId],
  ['Started', momentText(run.startedAt)],
  [
    'Plan',
    `${counted(run.subjects.length, 'site')}, ${counted(run.networks.length, 'network')}, ${counted(run.arms.length, 'stack')}, ${counted(run.trials.length, 'load')} with warm-ups`,
  ],
])}
${facts('Chosen before the run', chosenBefore(run))}
${facts('The machine at the start of the run', [
  ['System', host.os],
  ['Kernel', host.kernel],
  ['Processor', `${host.cpu}, ${counted(host.cores, 'core')}`],
  ['Memory', `${countText(host.memoryMb)} MB`],
  ['Load average (1 minute)', String(host.loadAverage1m)],
])}
${facts('Versions', Object.entries(run.versions))}
</div>`,
  });
}

function facts(caption: string, rows: readonly (readonly [name: string, value: string])[]): Markup {
  return scrolling(
    caption,
    html`<table class="facts"><caption>${caption}</caption><tbody>
${rows.map(
  ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>
`,
)}</tbody></table>`,
  );
}

/** A word as one would type it in a shell. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
