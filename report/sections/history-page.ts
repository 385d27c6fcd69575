import { conditionName, conditionText } from '../../experiments/condition.ts';
import { experimentOf } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { historyChart, isNearOne } from '../../kit/charts/history-chart.ts';
import { documentText } from '../../kit/page/document.ts';
import { ratioColumn } from '../../kit/page/estimate.ts';
import { figure, legend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup, nameOf } from '../../kit/page/markup.ts';
import { table } from '../../kit/page/table.ts';
import { keepUnitsTogether, ratioText } from '../../kit/text/estimate.ts';
import { countText, countWithNoun, decimalText, momentText } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { FEWEST_OF_LEVEL, LARGEST_SCORE, ordersFor } from '../../statistics/level-changes.ts';
import type {
  ChangedFact,
  HistoryLevel,
  HistoryPoint,
  HistoryQuestion,
  HistoryRun,
  RunsHistory,
} from '../summary/runs-history.ts';
import {
  baselineText,
  changedFactText,
  historyText,
  newerText,
  questionsByCondition,
  spreadText,
} from '../text/history.ts';

/** More charts are left to history.json; those with a change come first. */
const MOST_DRAWN = 30;

const STYLE =
  '.question + .question { margin-top: 0.8rem; } .question .sentence { font-weight: 600; }';

/** Facts of one run in a table. */
const MOST_FACTS = 6;

/** Shows the newest runs first where a chart is wider than the screen. */
const SCRIPT = `
for (const each of document.querySelectorAll('figure > .scroll')) each.scrollLeft = each.scrollWidth;
`;

/** history.html, a single file. */
export function historyPage(history: RunsHistory): string {
  const { runs, questions } = history;
  const experiment = experimentOf(history);
  const metric = metricNamed(experiment, history.metric);
  const drawn = [...questions]
    .sort((a, b) => Number(hasChange(b)) - Number(hasChange(a)))
    .slice(0, MOST_DRAWN);
  return documentText({
    style: STYLE,
    script: SCRIPT,
    title: `History of ${countWithNoun(runs.length, 'run')}`,
    runIds: [runs.at(0), runs.at(-1)].flatMap((run) => (run ? [run.runId] : [])),
    about: html`quic-vs-https. Runs of one plan from ${timeOf(runs.at(0))} to ${timeOf(runs.at(-1))}.`,
    contents: html`<li><a href="#ratios">Ratios, run by run</a></li><li><a href="#runs">The runs</a></li><li><a href="#excluded">Excluded runs</a></li><li><a href="#method">Method</a></li>`,
    warnings: warningsOf(history),
    main: html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">What changed over time</h2>
<ul class="answers">
${questionsByCondition(questions).map(
  (own) =>
    html`<li><h3>${own[0] && titleOf(own[0])}</h3><div>${own.map(
      (
        question,
      ) => html`<div class="question"><p class="sentence">${isolateLabels(historyText(question, history), question)}</p>
${changesWith(question, history)}<p class="counts">${spreadText(question)}</p></div>`,
    )}${baselineChange(own)}</div></li>`,
)}</ul>
</section>
<section aria-labelledby="ratios">
<h2 id="ratios">Ratios, run by run</h2>
<p>A ratio is the ${metric.phrase} of a stack divided by that of the baseline: below 1 it ${metric.unit === 'ms' ? 'takes less time' : 'is less'}. It also changes
if the baseline changes.</p>
${drawn.map((question) => questionPart(question, history))}
${questions.length > drawn.length && html`<p>history.json and history.csv have ${countWithNoun(questions.length - drawn.length, 'more comparison')}.</p>`}
</section>
${theRuns(runs)}
${excludedPart(history)}
${method(history)}`,
    footer: html`Written from run.json, ${experiment.recordFile}, invocations.jsonl and looks.jsonl of the runs; the same numbers are in history.json and history.csv in the same folder.`,
  });
}

function timeOf(run: HistoryRun | undefined): Markup | false {
  return (
    run !== undefined && html`<time datetime="${run.startedAt}">${momentText(run.startedAt)}</time>`
  );
}

function titleOf({ network, variant }: HistoryQuestion): Markup {
  return conditionTitle({ network, text: conditionText(network, variant) });
}

/** A text with the labels of a question, isolated from the text direction around them. */
function isolateLabels(
  text: string,
  { label, baselineLabel }: Pick<HistoryQuestion, 'label' | 'baselineLabel'>,
): Markup {
  const isolate = (part: string, [name, ...names]: string[]): Markup =>
    name === undefined
      ? html`${keepUnitsTogether(part)}`
      : html`${part.split(name).map((each, place) => html`${place > 0 && nameOf(name)}${isolate(each, names)}`)}`;
  // The longer label may contain the other one.
  const names = [label, baselineLabel].filter((name) => name !== '');
  return isolate(
    text,
    names.toSorted((a, b) => b.length - a.length),
  );
}

function baselineChange(questions: readonly HistoryQuestion[]): Markup | null {
  const text = baselineText(questions);
  const [first] = questions;
  return text === null || !first ? null : html`<p>${isolateLabels(text, first)}</p>`;
}

function hasChange({ levels }: HistoryQuestion): boolean {
  return levels.length > 1;
}

function warningsOf(history: RunsHistory): string[] {
  const { runs, endsEarly } = history;
  const nChanged = runs.filter(isOtherBench).length;
  return [
    ...sentences(newerText(history)),
    ...(nChanged > 0
      ? [
          `Machine, path, client or benchmark changed ${nChanged === 1 ? 'once' : `${countText(nChanged)} times`} (dotted lines): a change of a ratio there may come from that.`,
        ]
      : []),
    ...(endsEarly
      ? [
          'These runs end by a rule, and early ends exaggerate differences. A fixed number of repetitions avoids this.',
        ]
      : []),
  ];
}

function isOtherBench({ changed }: HistoryRun): boolean {
  return changed.some(({ isOfBench }) => isOfBench);
}

function isOtherVersion({ changed }: HistoryRun): boolean {
  return changed.some((fact) => isVersion(fact) && !fact.isOfBench);
}

/** What else changed where levels change: a change may be placed a run too early or too late. */
function changesWith({ levels }: HistoryQuestion, { runs }: RunsHistory): Markup[] {
  return levels.slice(1).map(({ from }, place) => {
    const last = (levels[place] as HistoryLevel).to;
    const facts = runs.slice(last, from + 2).flatMap(({ changed }) => changed);
    const where = 'there, or one run earlier or later';
    return facts.length === 0
      ? html`<p>No version or other fact in the records changed ${where}.</p>`
      : html`<p>Changed ${where}: ${factList(facts)}.</p>`;
  });
}

function factList(facts: readonly ChangedFact[]): Markup {
  // Versions say most about a change.
  const sorted = [...facts].sort((a, b) => Number(isVersion(b)) - Number(isVersion(a)));
  const more = sorted.length - MOST_FACTS;
  return html`${sorted
    .slice(0, MOST_FACTS)
    .map(
      (fact, place) => html`${place > 0 && '; '}${nameOf(changedFactText(fact))}`,
    )}${more > 0 && `; and ${countText(more)} more`}`;
}

/** Of a program of the bench, or as a server reported it; also the name and program of the user's server. */
function isVersion({ fact }: ChangedFact): boolean {
  return /^(versions\.|fairness\.stacks\..*\.program$|arms\.)/.test(fact);
}

function questionPart(question: HistoryQuestion, history: RunsHistory): Markup {
  const { runs, marginPercent } = history;
  const { label, baselineLabel, levels, points, arm } = question;
  const metric = metricNamed(experimentOf(history), history.metric);
  const name = `${label} against ${baselineLabel}, ${conditionName(question)}`;
  const stack = { arm, label, place: 0 };
  const markedBy = (isMarked: (run: HistoryRun) => boolean) =>
    runs.flatMap((run, place) => (isMarked(run) ? [{ run: place, label: pointName(run) }] : []));
  const days = new Set(runs.map(({ startedAt }) => startedAt.slice(0, 10)));
  // 2026-11-02, or 11-02 03:00 if several runs began on one day.
  const tickOf = ({ startedAt }: HistoryRun) =>
    days.size === runs.length
      ? startedAt.slice(0, 10)
      : `${startedAt.slice(5, 10)} ${startedAt.slice(11, 16)}`;
  return html`<h3>${nameOf(label)} against ${nameOf(baselineLabel)}<span class="numbers">, </span>${titleOf(question)}</h3>
${figure({
  name,
  caption: false,
  legend: legend(
    [
      html`<span class="sign stack-1" aria-hidden="true">●</span>ratio of a run, with its 95 % interval`,
      html`<span class="sign stack-2" aria-hidden="true">━</span>level`,
      hasChange(question) && html`<span class="sign" aria-hidden="true">╎</span>change of level`,
      runs.some(isOtherBench) &&
        html`<span class="sign quiet" aria-hidden="true">┊</span>other machine, path, client or benchmark`,
      runs.some(isOtherVersion) &&
        html`<span class="sign quiet" aria-hidden="true">│</span>other version of a server`,
      isNearOne(points.map(({ ratio }) => ratio)) &&
        html`<span class="swatch band" aria-hidden="true"></span>within ${decimalText(marginPercent)} %`,
    ].filter((entry) => entry !== false),
  ),
  chart: historyChart(
    {
      arm: stack,
      runs: points.flatMap(({ run, ratio }) => {
        const own = runs[run];
        return own ? [{ tick: tickOf(own), name: pointName(own), ratio }] : [];
      }),
      levels,
      marked: markedBy(isOtherBench),
      versions: markedBy(isOtherVersion),
      marginPercent,
    },
    `Chart: ratio of ${metric.phrases} of ${name}, in ${countWithNoun(runs.length, 'run')}, with 95 % intervals. The table below it has the same numbers.`,
  ),
  data: pointTable(name, question, history),
})}`;
}

/** Date and changed versions of a run. */
function pointName(run: HistoryRun): string {
  return [momentText(run.startedAt), ...versionTexts(run)].join(', ');
}

function versionTexts({ changed }: HistoryRun): string[] {
  return changed.filter(isVersion).slice(0, MOST_FACTS).map(changedFactText);
}

function pointTable(
  name: string,
  { points, levels }: HistoryQuestion,
  { runs }: RunsHistory,
): Markup {
  const levelOf = ({ run, excluded }: HistoryPoint) =>
    excluded === null ? levels.find(({ from, to }) => from <= run && run <= to) : undefined;
  return table({
    class: 'sites',
    caption: html`Ratios with their 95 % intervals: ${nameOf(name)}`,
    columns: [
      ['Started', ({ run }) => startOf(runs[run])],
      ['Pairs', ({ nPairs }) => countText(nPairs)],
      ratioColumn('ratio', ({ ratio }: HistoryPoint) => ratio),
      [
        'Level',
        (point) => {
          const level = levelOf(point);
          return level ? ratioText(level.ratio) : '–';
        },
      ],
      ['Note', (point) => noteOf(point, levels), 'text wrap'],
    ],
    items: points,
  });
}

function startOf(run: HistoryRun | undefined): Markup | false {
  const versions = run ? versionTexts(run) : [];
  return html`${timeOf(run)}${versions.length > 0 && html`<small><bdi>${versions.join(', ')}</bdi></small>`}`;
}

function noteOf({ run, excluded, isApart }: HistoryPoint, levels: readonly HistoryLevel[]): string {
  const level = levels.find(({ from, change }) => from === run && change !== null);
  if (level) return `New level: ${ratioText(level.change ?? 1)} times the one before.`;
  return excluded ?? (isApart ? 'Apart from the other runs of its level.' : '');
}

function theRuns(runs: readonly HistoryRun[]): Markup {
  return html`<section aria-labelledby="runs">
<h2 id="runs">The runs</h2>
${table({
  label: 'Runs and what changed',
  class: 'sites',
  caption:
    'The runs, and which versions and facts of machine and path are not as in the run before',
  columns: [
    ['Run', ({ runId }) => nameOf(runId)],
    ['Started', (run: HistoryRun) => timeOf(run)],
    [
      'Changed since the run before',
      ({ changed }) => (changed.length === 0 ? '–' : factList(changed)),
      'text wrap',
    ],
  ],
  items: runs,
})}
</section>`;
}

function excludedPart({ excluded }: RunsHistory): Markup {
  return html`<section aria-labelledby="excluded">
<h2 id="excluded">Excluded runs</h2>
${
  excluded.length === 0
    ? html`<p>None: all runs have the same plan and can be read.</p>`
    : html`<ul>${excluded.map(({ name, reason }) => html`<li>${nameOf(name)}: ${nameOf(reason)}</li>`)}</ul>`
}
</section>`;
}

function method({ significance, fewestRuns, questions }: RunsHistory): Markup {
  return html`<section aria-labelledby="method">
<h2 id="method">Method</h2>
<p>Each run’s ratio is its primary answer, from its own pairs, with an interval that is not corrected for the number of comparisons.
Loads of different runs are never paired. Runs can differ by more than these intervals say, as days and machines do. So the test of
levels does not use them: it compares the order of the runs with up to ${countText(ordersFor(significance / questions.length))} random orders of the same runs.</p>
<p>The test looks for the stretch of runs that stands out most, by distances from the median of all runs. Distances are cut at
${LARGEST_SCORE} scaled median absolute deviations, so that single outlying runs count little. It then looks for further changes in each part. A level has at least ${FEWEST_OF_LEVEL} runs, and is the Hodges-Lehmann estimate of these.</p>
<p>If neither levels nor noise change, the chance of even one false change on this page is at most ${decimalText(100 * significance)} %, over all runs and
${countWithNoun(questions.length, 'comparison')} (Bonferroni). ${fewestRuns === null ? 'No number of runs can show a change among as many comparisons.' : `With this number of comparisons, a change halfway can be found from ${fewestRuns} runs on; one near an end, or one that ends again, needs more.`}
A page after each run has a new chance each time. The test takes runs as exchangeable: it also marks a slow drift as a change. In
simulations of one comparison over 15 to 60 runs, it found a false change in 3 to 6 % if noise tripled, in 5 to 15 % if each run
depended on the one before, and in 10 to 14 % if the newest two runs were outliers.</p>
</section>`;
}
