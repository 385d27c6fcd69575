import { choiceLines } from '../../ground/options/common.ts';
import { ISOLATIONS } from '../../ground/options/loads.ts';
import type { ImportedTable, RunRecord } from '../../ground/records/run.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { hostTexts } from '../../kit/text/host.ts';
import { countWithNoun, momentText } from '../../kit/text/number.ts';
import { versionTexts } from '../../kit/text/versions.ts';
import { attemptsText, type ReportView } from './view.ts';

/** How to make the run again: method, command, machine, versions, definitions. */
export const method: Section<ReportView> = defineFoldedSection('method', 'Method', (view) => {
  const { run, experiment, ofPages } = view;
  const [, several] = experiment.attempt;
  const name = experiment.command?.name;
  const options = run.command.map((word) => html` <bdi>${shellWord(word)}</bdi>`);
  return {
    title: 'How it was run',
    about: `${run.read ? 'from which file' : 'command, machine, versions'}, definitions of all numbers`,
    content: html`${run.read ? howRead(run.read, several) : howMade(view)}
<pre><code>${options.length > 0 ? html`npm run ${name} --${options}` : html`npm run ${name}`}</code></pre>
<h3>What the ${experiment.metrics.every(({ unit }) => unit === 'ms') ? 'times' : 'numbers'} mean</h3>
<dl class="definitions">
${experiment.metrics.map(
  ({ label, definition, source }) =>
    html`<dt>${label}</dt><dd>${definition}${run.read ? null : html` <span class="quiet">Source: ${source}.</span>`}</dd>`,
)}</dl>
${
  ofPages &&
  html`<h3>What a page load time is made of</h3>
${whyMethod()}`
}
<div class="fact-tables">
${facts('The run', [
  ['Run', run.runId],
  ['Started', momentText(view.summary.startedAt)],
  [
    'Plan',
    `${countWithNoun(run.subjects.length, ...experiment.site)}, ${countWithNoun(run.networks.length, 'network')}, ${countWithNoun(run.arms.length, 'stack')}, ${attemptsText(view, run.trials.length)} with warm-ups`,
  ],
])}
${
  // Of a run from a file these facts are not known.
  run.read
    ? null
    : [
        facts('Chosen before the run', choiceLines(run, experiment)),
        facts('The machine at the start of the run', hostTexts(run.host)),
        facts('Versions', Object.entries(versionTexts(run))),
      ]
}
</div>`,
  };
});

function howMade({ run, experiment, ofPages }: ReportView): Markup {
  const [one, several] = experiment.attempt;
  return html`<p>One ${one} at a time${ofPages ? howLoaded(run) : '.'} ${
    run.choices.order === 'shuffled'
      ? `The ${several} came in blocks: every block has
each stack once for a ${experiment.site[0]} over one network, in balanced orders drawn from the seed, so that slow drift of the machine meets all
stacks alike.`
      : html`<strong>The stacks did not take turns</strong>: for each ${experiment.site[0]} over each network, all ${several} of one stack came before those of
the next one. ${capitalize(several)} with the same number still form a block, so slow drift of the machine can look like a difference of stacks.`
  } Where packets are lost on purpose, all ${several} of a block meet a path that draws its losses from the same seed.</p>`;
}

/** Definitions of times in each kind of file. */
const READ_TIMES: Record<ImportedTable['dialect'], string> = {
  own: 'Its times are those of this program, rounded to the microsecond.',
  jaeger: `Its time of a connection begins after the name lookup and ends with the handshake. Over TLS, that is both the time until the client may
send and that until the handshake is complete; over QUIC, the latter alone. Rows of one URL in one minute are a block. This program defines these times as follows:`,
};

function howRead({ file, sha256, rows, dialect }: ImportedTable, several: string): Markup {
  return html`<p>Another program made the ${several}. They were read from <bdi class="name">${file}</bdi> (${countWithNoun(rows, 'row')}, SHA-256 <bdi>${sha256}</bdi>). How they were
made, the file does not say; all of its rows are here. ${READ_TIMES[dialect]}</p>`;
}

function facts(caption: string, rows: readonly (readonly [name: string, value: string])[]): Markup {
  return table({
    label: caption,
    caption,
    class: 'facts',
    columns: [
      ['', ([name]) => name],
      ['', ([, value]) => value],
    ],
    items: rows,
  });
}

/** How page load times are divided into parts, and the limits of that. */
function whyMethod(): Markup {
  return html`<p>The parts of a page load time come from the load's HAR. Each instant from navigationStart to the end of
the load event belongs to one part, the first of these that applies to any request at that instant:</p>
<ol>
<li><strong>Transfer</strong>: a response is arriving (its headers are there, its last byte is not). The pauses between packets are
part of it, so slow start, pacing and repairs of loss all count here.</li>
<li><strong>Waiting</strong>: a request was sent and nothing of its response is there: a round trip and the server's work.</li>
<li><strong>Set-up</strong>: a connection is being made. Set-up that hides behind other requests is not in it, because it costs no
time of its own.</li>
<li><strong>Rest</strong>: no such request; the browser works or holds its requests back.</li>
</ol>
<p>The four parts of a load add up to its page load time. A HAR does not show how much of a wait was the processor's, what
the congestion control allowed, or whether a packet was lost; and it has times in whole milliseconds, so
differences of a few ms mean nothing. A slow browser makes all four parts longer, the rest most. The model counts
round trips to the first byte of the document: a handshake of one by QUIC, of two by TCP with TLS 1.3, and one for the request.</p>`;
}

/** How pages were loaded, after `One load at a time`. */
function howLoaded({ choices }: RunRecord): string {
  return `, isolated ${ISOLATIONS[choices.isolation]}. A browser that was just started runs QUIC’s code cold; TCP’s is in the kernel and
always warm. That made QUIC look 3 % slower than in a browser that was running, where the two were compared.`;
}
