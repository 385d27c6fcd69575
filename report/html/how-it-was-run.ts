import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import type { RunRecord } from '../../records/run.ts';
import { momentText } from '../moment-text.ts';
import { counted, countText, decimalText } from '../number-text.ts';
import { whyMethod } from '../why/method.ts';
import { foldedSection } from './fold.ts';
import { html, type Markup } from './markup.ts';
import { scrolling } from './name.ts';

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
  ['Seed', String(run.seed)],
  ['Repetitions', countText(run.repetitions)],
  ['Time limit of a load', `${countText(run.timeoutS)} s`],
  [
    'Plan',
    `${counted(run.subjects.length, 'site')}, ${counted(run.networks.length, 'network')}, ${counted(run.arms.length, 'stack')}, ${counted(run.trials.length, 'load')} with warm-ups`,
  ],
  ['Path made by', run.backend],
])}
${facts('Chosen before the run', chosen(run))}
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

const ISOLATIONS: Record<RunRecord['choices']['isolation'], string> = {
  context:
    'a browser context each, in a browser that is kept: a first visit by a browser that is running',
  process: 'a browser each that was just started',
};

/** The choices that hold for all loads, in words. */
function chosen(run: RunRecord): [name: string, value: string][] {
  const { choices, analysis, arms, factors } = run;
  const {
    origins,
    certificateChain,
    pinned,
    deterministicPages,
    isolation,
    initialWindowSegments,
  } = choices;
  const { subResources, document, tlsMost, mtuBytes, offloads, receiveBufferBytes, order } =
    choices;
  const cores = (numbers: readonly number[]) => numbers.join(', ');
  return [
    ['Baseline', arms.find(({ arm }) => arm === analysis.baseline)?.label ?? analysis.baseline],
    ['Verdicts about', verdictMetric(run).phrase],
    ['Margin of “same”', `${analysis.marginPercent} %`],
    ...stoppingRule(run),
    ['Visits', (factors.visit ?? []).join(', ')],
    [
      'Hosts of a site',
      origins === 'own' ? 'an address and a certificate each' : 'one address and one certificate',
    ],
    ['Certificate chain', certificateChain],
    [
      'Cores',
      pinned
        ? `browser ${cores(pinned.browserCores)}; servers ${cores(pinned.serverCores)}; network ${cores(pinned.linkCores)}`
        : 'left to the kernel',
    ],
    ['Seeded chance and time in pages', deterministicPages],
    ['Loads are kept apart by', ISOLATIONS[isolation]],
    [
      'Initial window of TCP',
      initialWindowSegments === null
        ? 'the kernel’s own'
        : `${initialWindowSegments} segments asked for`,
    ],
    ['Newest TLS over TCP', tlsMost],
    ['Sub-resources', subResources === 'served' ? 'served' : 'answered 404, all of them'],
    [
      'Main document',
      document === 'recorded'
        ? 'as recorded'
        : 'by Flask’s development server with its header lines as text, as wget saves it',
    ],
    ['MTU of the path', `${countText(mtuBytes)} bytes`],
    ['Several segments as one packet', offloads],
    [
      'Receive buffer that TCP begins with',
      receiveBufferBytes === null ? 'the kernel’s own' : `${countText(receiveBufferBytes)} bytes`,
    ],
    ['Order of the stacks', order],
  ];
}

/** When the run was to be told enough; nothing where all repetitions were to be made. */
function stoppingRule({ stopping, repetitions }: RunRecord): [name: string, value: string][] {
  if (!stopping) return [];
  const { alpha, budgetMs, blocksPerLook } = stopping;
  return [
    [
      'The run ends',
      `when every answer is told, after ${decimalText(budgetMs / 60_000, 1)} min, or after ${counted(repetitions, 'repetition')}`,
    ],
    [
      'A look at the answers',
      `after every ${counted(blocksPerLook, 'block')} of each site and condition`,
    ],
    [
      'Chance of even one wrong answer',
      `${decimalText(100 * alpha)} % over all looks, spent over the budget as Pocock’s bounds do`,
    ],
  ];
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
