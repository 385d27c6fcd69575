import { conditionText } from '../../../experiments/condition.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../ground/experiment.ts';
import { type ForestRow, forestChart } from '../../../kit/charts/forest-chart.ts';
import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { figure } from '../../../kit/page/figure.ts';
import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { foldedSection, type Section } from '../../../kit/page/section.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { type Estimate, keepUnitsTogether, ratioText } from '../../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../../kit/text/number.ts';
import type { ReportView } from '../../../report/sections/view.ts';
import { answerText } from '../../../report/text/answers.ts';
import type { Ladder, LadderStep, StepResult } from './ladder.ts';
import { LADDER } from './steps.ts';

/** The ladder up to a step, in the report of that step's run. */
export function ladderSection(ladder: Ladder): Section<ReportView> {
  return {
    id: 'ladder',
    title: 'The ladder',
    render: (_, id) =>
      foldedSection(id, {
        title: 'The ladder',
        about: `${countWithNoun(ladder.steps.length, 'step')} from the published comparison towards a fair one`,
        content: html`${answers(ladder)}
${chart(ladder)}
${stepTable(ladder)}
${siteTable(ladder)}
${method(ladder)}`,
      }),
    style: STYLE,
  };
}

/** Whether the last step is included. */
function isWhole({ steps }: Ladder): boolean {
  return steps.length === LADDER.length;
}

function answers(ladder: Ladder): Markup {
  const { steps, warnings, sentences } = ladder;
  const [first, last] = [steps.at(0), steps.at(-1)];
  const ends = [
    first && (['Compared as in 2018', first] as const),
    last && steps.length > 1 && ([isWhole(ladder) ? 'Compared fairly' : last.title, last] as const),
  ];
  return html`<p><strong>The claim of 2018.</strong> ${claimText(ladder)}</p>
${ends.map((end) => end && html`<p><strong>${end[0]}.</strong> ${keepUnitsTogether(end[1].result ? answerText(end[1].result.answer, end[1].result.summary) : stateText(end[1]))}</p>`)}
${sentences.map((sentence) => html`<p>${keepUnitsTogether(sentence)}</p>`)}
${warnings.length > 0 && html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}`;
}

/** The published claim, over all its sites and over those of the ladder. */
function claimText({ published, network }: Ladder): string {
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
    ? `${counts} ${all}. This ladder has no such site.`
    : `${counts} ${all}; the mean over the ${countWithNoun(sameSites.nSites, 'site')} of this ladder among them is ${share(sameSites.geometricMean)}.`;
}

function share(ratio: number): string {
  return `${decimalText(100 * ratio, 0)} %`;
}

function stateText({ state }: LadderStep): string {
  return state === 'interrupted' ? 'Its run was interrupted.' : 'It has not been measured.';
}

interface Row extends ForestRow {
  change: Estimate | null;
}

/** Published numbers for the ladder's delay and sites, the steps, and the last step again as the answer. */
function rowsOf(ladder: Ladder): Row[] {
  const { steps, published } = ladder;
  const rows = steps.map(({ title, result, ratioChange: change }, index): Row => {
    const { ratio = null, difference = null, verdict = 'undecided' } = result?.answer ?? {};
    return { name: `${index}  ${title}`, ratio, difference, verdict, change };
  });
  const last = rows.at(-1);
  const { geometricMean: estimate } = published.sameSites ?? {};
  return [
    ...(estimate === undefined
      ? []
      : [
          {
            name: 'Published in 2018',
            ratio: { estimate, low: null, high: null },
            difference: null,
            verdict: 'undecided',
            change: null,
          } as const,
        ]),
    ...rows,
    ...(last?.ratio && isWhole(ladder) ? [{ ...last, name: 'The fair answer', change: null }] : []),
  ];
}

function chart(ladder: Ladder): Markup {
  const { steps, published, network, subjects, marginPercent } = ladder;
  const rows = rowsOf(ladder);
  const known = steps.filter(({ result }) => result !== null).length;
  const takingTurns = steps.findIndex(({ result }) => result?.run.choices.order === 'shuffled');
  return html`<p>Each ablation step is a separate run that differs from the one before in one thing. Left of 1, QUIC takes less time than HTTPS.</p>
${figure({
  name: 'from the published comparison to a fair one',
  caption: html`<h3>${countWithNoun(subjects.length, 'site')}${network && `, ${conditionText(network)}`}</h3>`,
  chart: forestChart(
    {
      stackLabel: 'QUIC',
      baselineLabel: 'HTTPS',
      metric: metricNamed(pageLoad, 'pageLoadMs'),
      sites: 'steps',
      rows,
      pooled: null,
      marginPercent,
    },
    `Forest plot: ratio of the times of QUIC to those of HTTPS on ${countWithNoun(known, 'step')}, from the published comparison towards a fair one, with 95 % intervals. The table below it has the same numbers.`,
  ),
  data: table({
    caption:
      'Ratios of the times of QUIC to those of HTTPS, with 95 % intervals. Change: the ratio divided by that of the step before.',
    columns: [
      ['Step', ({ name }) => name],
      ['Ratio', ({ ratio }) => ratioCell(ratio)],
      ['Change', ({ change }) => ratioCell(change)],
    ],
    items: rows,
  }),
})}
${
  takingTurns !== 0 &&
  html`<p class="quiet">${
    takingTurns > 0 ? `On steps 0 to ${takingTurns - 1}` : 'On these steps'
  } QUIC and HTTPS did not take turns, as in 2018: all loads by QUIC came before all loads by HTTPS. Pairs there are loads with the same
number and nothing else in common, so their intervals ignore changes of the machine meanwhile.</p>`
}
${published.sameSites && html`<p class="quiet">The published ratio is the mean over ${countWithNoun(published.sameSites.nSites, 'site')} of this ladder, of the published averages; single loads with delay were not published, so it has no interval. Google’s QUIC of 2018 is not the QUIC of today.</p>`}`;
}

function ratioCell(estimate: Estimate | null): Markup {
  return estimateMarkup(estimate, ratioText);
}

const CHANGES = {
  slower: 'worse for QUIC',
  faster: 'better for QUIC',
  same: 'about equal',
  undecided: 'undecided',
} as const;

function stepTable({ steps }: Ladder): Markup {
  return table({
    label: 'The steps',
    class: 'steps',
    caption: `The change of each step and its result. Ratio: QUIC ÷ HTTPS, the geometric mean over the sites with its 95 % interval; median: of the
sites’ ratios. Change: the ratio divided by that of the step before. Round trips: what the document needs by QUIC and by HTTPS, connection included.`,
    columns: [
      ['Step', (step) => html`${steps.indexOf(step)}. ${titleOf(step)}`],
      ['Change of the setup', ({ change }) => change, 'text change'],
      [
        'Compared',
        (step) => (step.result ? comparedText(step.result) : { span: 6, content: stateText(step) }),
        ({ result }) => (result ? 'text' : 'text lacking'),
      ],
      ['Round trips', ({ documentRoundTrips: { quic, https } }) => `${quic} and ${https}`],
      ['Pairs', ({ result }) => result && pairsText(result)],
      ['Ratio', ({ result }) => result && ratioCell(result.answer.ratio), 'main'],
      ['Median', ({ result }) => (result?.medianOfSites ? ratioText(result.medianOfSites) : '–')],
      [
        'Change',
        ({ ratioChange, changeVerdict }) =>
          html`${ratioCell(ratioChange)}${changeVerdict && html`<small>${CHANGES[changeVerdict]}</small>`}`,
      ],
    ],
    items: steps,
  });
}

function titleOf({ title, folder, result }: LadderStep): Insert {
  return result ? html`<a href="../${folder}/report.html">${title}</a>` : title;
}

function comparedText({ run, summary, answer }: StepResult): Markup {
  const labelOf = (name: string) => run.arms.find(({ arm }) => arm === name)?.label ?? name;
  const { phrase } = metricNamed(pageLoad, summary.analysis.metric);
  return html`<bdi>${labelOf(answer.arm)}</bdi>, <bdi>${labelOf(answer.baseline)}</bdi><small>${phrase}, ${answer.variant}</small>`;
}

function pairsText({ run, answer: { nPairs } }: StepResult): Markup {
  const planned = run.repetitions * run.subjects.length;
  return html`${nPairs}${nPairs < planned && html`<small>of ${planned}</small>`}`;
}

function siteTable({ steps, subjects }: Ladder): Markup {
  const ratioOf = ({ result }: LadderStep, site: string) =>
    result?.summary.comparisons.find(({ subject }) => subject === site)?.ratio ?? null;
  return table({
    label: 'Ratios by site and step',
    class: 'step-sites',
    caption: 'Ratio of QUIC to HTTPS on each site, with 95 % intervals',
    columns: [
      ['Site', nameOf],
      ...steps.map(
        (step, index): Column<string> => [
          `${index}. ${step.title}`,
          (site) => ratioCell(ratioOf(step, site)),
        ],
      ),
    ],
    items: subjects,
  });
}

function method({ marginPercent }: Ladder): Markup {
  return html`<p>QUIC is lsquic (h3) on every step; HTTPS is the server named in the table. The ratio of a step is that of its own report, which
describes its measurement and exclusions: on each site e to the power of the Hodges-Lehmann
estimate of the log ratios of the pairs, over the sites the geometric mean, with an interval for these pages.</p>
<p>Loads of different steps are never paired. A change is the ratio of two steps’ ratios, site by site, and over the sites their geometric
mean with Student’s interval, for pages like these. It is better or worse for QUIC if the interval excludes 1, and about equal if it lies within
${decimalText(marginPercent)} %. The intervals are not corrected for the number of steps. The steps were measured one after another: a machine that became slower meanwhile
would change the times of both sides, and the ratio less.</p>
<p>The order of the changes is a choice: the effect of a change depends on those before it. The total change from the first step to the last
does not.</p>`;
}

const STYLE = `
.steps { width: 100%; }
.steps :is(th, td) { vertical-align: top; }
.steps td.text, .steps tbody th { white-space: normal; }
.steps thead th:first-child { padding-left: 0; }
.steps tbody th { min-width: 9rem; font-weight: 650; padding-left: 0; }
.steps td.change { min-width: 20rem; max-width: 30rem; }
.step-sites thead th { white-space: normal; min-width: 5.5rem; }
`;
