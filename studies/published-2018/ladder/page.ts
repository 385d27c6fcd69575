import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../ground/experiment.ts';
import { shellWord } from '../../../ground/system/shell-word.ts';
import { documentText } from '../../../kit/page/document.ts';
import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { figure, legend } from '../../../kit/page/figure.ts';
import { html, type Markup } from '../../../kit/page/markup.ts';
import { nameOf, scrolling } from '../../../kit/page/name.ts';
import { conditionText } from '../../../kit/text/condition.ts';
import { type Estimate, ratioText, unbroken } from '../../../kit/text/estimate.ts';
import { counted, decimalText, momentText } from '../../../kit/text/number.ts';
import { type LadderRow, ladderChart } from './chart.ts';
import type { LadderSummary, StepSummary } from './summary.ts';

/** ladder.html: one file that needs nothing but itself, and the reports of the steps below it for its links. Pure. */
export function ladderPage(summary: LadderSummary): string {
  const { startedAt, warnings, steps, sentences } = summary;
  return documentText({
    title: 'From the published comparison to a fair one',
    style: STYLE,
    about: html`quic-vs-https, a ladder of ${counted(steps.length, 'run')}, started <time datetime="${startedAt}">${momentText(startedAt)}</time>`,
    contents: html`<li><a href="#ladder">The ladder</a></li><li><a href="#steps">Step by step</a></li><li><a href="#sites">Sites</a></li><li><a href="#method">Method</a></li>`,
    warnings,
    main: html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">What was claimed, and what is left of it</h2>
<ul class="answers">
<li><h3>The claim of 2018</h3><div><p>${claimText(summary)}</p></div></li>
${endOf('Compared as in 2018', steps.at(0))}
${steps.length > 1 && endOf('Compared fairly', steps.at(-1))}
</ul>
${sentences.map((sentence) => html`<p>${unbroken(sentence)}</p>`)}
</section>
${chartSection(summary)}
${stepTable(summary)}
${siteTable(summary)}
${method(summary)}`,
    footer: html`Written from ladder.json and the runs in the folders beside this file; the same numbers are in ladder-summary.json.`,
  });
}

/** What was published, over all of its sites and over those of the ladder. */
function claimText({ published, network }: LadderSummary): string {
  const [without, delayed] = published.muchFaster;
  const counts =
    without && delayed
      ? `QUIC was more than 50 % faster on ${without.count} of ${without.nSites} sites without delay, and on ${delayed.count} of ${delayed.nSites} with ${delayed.rttMs} ms added.`
      : '';
  const { allSites, sameSites } = published;
  if (allSites === null || network === null) {
    return `${counts} No numbers were published for the delay of this ladder.`;
  }
  const all = `With ${decimalText(network.rttMs)} ms the median over these ${allSites.nSites} sites is ${share(allSites.median)} of the time of HTTPS`;
  return sameSites === null
    ? `${counts} ${all}. None of them is among the sites of this ladder.`
    : `${counts} ${all}; the mean over the ${counted(sameSites.nSites, 'site')} that this ladder has too is ${share(sameSites.geometricMean)}.`;
}

function share(ratio: number): string {
  return `${decimalText(100 * ratio, 0)} %`;
}

function endOf(heading: string, step: StepSummary | undefined): Markup | false {
  return (
    step !== undefined &&
    html`<li><h3>${heading}</h3><div>${
      step.result
        ? html`<p class="sentence">${unbroken(step.result.sentence)}</p>`
        : html`<p>${stateText(step)}</p>`
    }</div></li>
`
  );
}

function stateText({ state }: StepSummary): string {
  return state === 'interrupted'
    ? 'Its run was interrupted before its end.'
    : 'It has not been measured.';
}

function chartSection(summary: LadderSummary): Markup {
  const { steps, published, network, subjects } = summary;
  const rows = rowsOf(summary);
  const known = steps.filter(({ result }) => result !== null).length;
  const takingTurns = steps.findIndex(({ result }) => result?.order === 'shuffled');
  return html`<section aria-labelledby="ladder">
<h2 id="ladder">The ladder</h2>
<p>Each ablation step is a run of its own that differs from the one before in one thing. Its bar begins where the step before ended, so its
length is what that one change was worth. Left of 1, QUIC takes less time than HTTPS; bars of the same length are changes by the
same factor.</p>
${figure({
  name: 'from the published comparison to a fair one',
  caption: html`<h3>${counted(subjects.length, 'site')}${network && `, ${conditionText(network)}`}</h3>`,
  legend: legend([
    html`<span class="swatch whole" aria-hidden="true"></span>where the ladder begins and ends`,
    html`<span class="swatch higher" aria-hidden="true"></span>the change takes from QUIC`,
    html`<span class="swatch lower" aria-hidden="true"></span>the change gives to QUIC`,
    html`<span class="swatch none" aria-hidden="true"></span>cannot be told, or next to nothing`,
    html`<span class="sign" aria-hidden="true">●</span>ratio with its 95 % interval`,
    ...(published.sameSites
      ? [html`<span class="swatch theirs" aria-hidden="true"></span>published numbers`]
      : []),
  ]),
  chart: ladderChart(
    rows,
    `Waterfall chart: ratio of the times of QUIC to those of HTTPS on ${counted(known, 'step')}, from the published comparison to a fair one, with 95 % intervals. The table below it has the same numbers.`,
  ),
  data: chartTable(rows),
})}
${
  takingTurns !== 0 &&
  html`<p class="quiet">${
    takingTurns > 0 ? `On steps 0 to ${takingTurns - 1}` : 'On these steps'
  } the two did not take turns, as in 2018: all loads by QUIC came before all loads by HTTPS. There, pairs are loads with the same
number and nothing else, so their intervals leave out what the machine did meanwhile.</p>`
}
${published.sameSites && html`<p class="quiet">The published ratio is the mean over ${counted(published.sameSites.nSites, 'site')} of this ladder, of the published averages; single loads with delay were not published, so it has no interval. Google’s QUIC of 2018 is not the QUIC of today.</p>`}
</section>`;
}

/** The published numbers where they can stand beside the ladder, the steps, and the last one again as the answer. */
function rowsOf({ steps, published, network }: LadderSummary): LadderRow[] {
  const alone = { change: null, changeVerdict: null, note: null };
  const rows: LadderRow[] = steps.map(({ title, result, ratioChange, changeVerdict }, index) => ({
    name: `${index}  ${title}`,
    kind: 'step',
    ratio: result?.ratio ?? null,
    change: ratioChange,
    changeVerdict,
    note: null,
  }));
  const last = steps.at(-1)?.result;
  if (published.sameSites && network) {
    const estimate = published.sameSites.geometricMean;
    const ratio = { estimate, low: null, high: null };
    const claim = published.muchFaster.find(({ rttMs }) => rttMs === network.rttMs);
    const note = claim ? `more than 50 % faster on ${claim.count} of ${claim.nSites} sites` : null;
    rows.unshift({ name: 'Published in 2018', kind: 'published', ratio, ...alone, note });
  }
  if (last && steps.length > 1) {
    rows.push({ name: 'The fair answer', kind: 'answer', ratio: last.ratio, ...alone });
  }
  return rows;
}

function chartTable(rows: readonly LadderRow[]): Markup {
  return html`<table><caption>Ratios of the times of QUIC to those of HTTPS, with 95 % intervals. Change: the ratio divided by that of the step before.</caption>
<thead><tr><th scope="col" class="text">Step</th><th scope="col">Ratio</th><th scope="col">Change</th></tr></thead>
<tbody>
${rows.map(
  ({
    name,
    ratio,
    change,
  }) => html`<tr><th scope="row">${name}</th><td>${ratioCell(ratio)}</td><td>${ratioCell(change)}</td></tr>
`,
)}</tbody></table>`;
}

function ratioCell(estimate: Estimate | null): Markup {
  return estimateMarkup(estimate, ratioText);
}

const CHANGES = {
  higher: 'takes from QUIC',
  lower: 'gives to QUIC',
  same: 'next to nothing',
  'cannot tell': 'cannot be told',
} as const;

function stepTable({ steps }: LadderSummary): Markup {
  return html`<section aria-labelledby="steps">
<h2 id="steps">Step by step</h2>
${scrolling(
  'The steps',
  html`<table class="steps"><caption>What each step changed and what came of it. Ratio: QUIC ÷ HTTPS, the geometric mean over the sites with its 95 % interval; median: the
middle one of the sites’ ratios. Change: the ratio divided by that of the step before. Round trips: what the document needs by QUIC and by HTTPS, connection included.</caption>
<thead><tr><th scope="col" class="text">Step</th><th scope="col" class="text">What was changed</th><th scope="col" class="text">Compared</th><th scope="col">Round trips</th><th scope="col">Pairs</th><th scope="col">Ratio</th><th scope="col">Median</th><th scope="col">Change</th></tr></thead>
<tbody>
${steps.map((step, index) => stepRow(step, index))}</tbody></table>`,
)}
</section>`;
}

function stepRow(step: StepSummary, index: number): Markup {
  const { title, change, folder, documentRoundTrips: trips, result, ratioChange } = step;
  const head = html`<th scope="row">${index}. ${
    result ? html`<a href="${folder}/report.html">${title}</a>` : title
  }</th><td class="text change">${change}</td>`;
  if (!result) {
    return html`<tr>${head}<td class="text lacking" colspan="6">${stateText(step)}</td></tr>
`;
  }
  const { nPairs, nPairsPlanned, ratio, medianOfSites, label, baselineLabel } = result;
  return html`<tr>${head}<td class="text"><bdi>${label}</bdi>, <bdi>${baselineLabel}</bdi><small>${metricNamed(pageLoad, result.metric).phrase}, ${result.variant}</small></td>
<td>${trips.quic} and ${trips.https}</td><td>${nPairs}${nPairs < nPairsPlanned && html`<small>of ${nPairsPlanned}</small>`}</td><td class="main">${ratioCell(ratio)}</td><td>${medianOfSites === null ? '–' : ratioText(medianOfSites)}</td>
<td>${ratioCell(ratioChange)}${step.changeVerdict && html`<small>${CHANGES[step.changeVerdict]}</small>`}</td></tr>
`;
}

function siteTable({ steps, subjects }: LadderSummary): Markup {
  return html`<section aria-labelledby="sites">
<h2 id="sites">Site by site</h2>
${scrolling(
  'Ratios by site and step',
  html`<table class="step-sites"><caption>Ratio of QUIC to HTTPS on each site, with 95 % intervals</caption>
<thead><tr><th scope="col" class="text">Site</th>${steps.map(({ title }, index) => html`<th scope="col">${index}. ${title}</th>`)}</tr></thead>
<tbody>
${subjects.map(
  (subject) => html`<tr><th scope="row">${nameOf(subject)}</th>${steps.map(
    ({ result }) =>
      html`<td>${ratioCell(result?.subjects.find((each) => each.subject === subject)?.ratio ?? null)}</td>`,
  )}</tr>
`,
)}</tbody></table>`,
)}
</section>`;
}

function method({ marginPercent, command }: LadderSummary): Markup {
  return html`<section aria-labelledby="method">
<h2 id="method">Method</h2>
<p>QUIC is lsquic (h3) on every step; HTTPS is the server named in the table. Each step is an ordinary run with a report of its own, which
says what was measured and what was left out. Its ratio is the one of that report: on each site e to the power of the Hodges-Lehmann
estimate of the log ratios of the pairs, over the sites the geometric mean, with an interval that speaks of these pages.</p>
<p>Loads of different steps are never paired. A change is the ratio of two steps’ ratios, site by site, and over the sites their geometric
mean with Student’s interval, which speaks of pages like these. It is called a change when the interval leaves out 1, and next to nothing when it lies within
${decimalText(marginPercent)} %. The intervals are not corrected for the number of steps. The steps were measured one after another, so a machine that became slower meanwhile
would change the times of both sides, and the ratio less.</p>
<p>The order of the changes is a choice: what a change is worth depends on those before it. The whole way from the first step to the last
does not.</p>
<pre><code>npm run benchmark --${command.map((word) => html` <bdi>${shellWord(word)}</bdi>`)}</code></pre>
</section>`;
}

/** The part of the style sheet that a ladder needs. */
const STYLE = `
:root { --ladder-none: #b4bcc5; }
@media screen and (prefers-color-scheme: dark) { :root { --ladder-none: #55606c; } }
.swatch.lower { background: var(--verdict-faster); }
.swatch.higher { background: var(--verdict-slower); }
.swatch.none { background: var(--ladder-none); }
.swatch.whole { background: color-mix(in srgb, var(--stack-1) 55%, transparent); }
.swatch.theirs { background: none; border: 1px dashed var(--stack-1); }
.steps { width: 100%; }
.steps :is(th, td) { vertical-align: top; }
.steps td.text, .steps tbody th { white-space: normal; }
.steps thead th:first-child { padding-left: 0; }
.steps tbody th { min-width: 9rem; font-weight: 650; padding-left: 0; }
.steps td.change { min-width: 20rem; max-width: 30rem; }
.step-sites thead th { white-space: normal; min-width: 5.5rem; }
`;
