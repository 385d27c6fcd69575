import { conditionName, conditionText } from '../../experiments/condition.ts';
import { experimentOf } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { type ChangeRow, changeChart } from '../../kit/charts/change-chart.ts';
import { documentText } from '../../kit/page/document.ts';
import { ratioColumn, verdictColumn } from '../../kit/page/estimate.ts';
import { legend } from '../../kit/page/figure.ts';
import {
  conditionTitle,
  html,
  type Insert,
  type Markup,
  nameOf,
  scrollRegion,
} from '../../kit/page/markup.ts';
import { type Column, type Columns, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { keepUnitsTogether } from '../../kit/text/estimate.ts';
import { factName } from '../../kit/text/fact-name.ts';
import { hostTexts } from '../../kit/text/host.ts';
import { countText, countWithNoun, decimalText, momentText } from '../../kit/text/number.ts';
import { BETTER_OR_WORSE, VERDICTS, type Verdict, verdictWord } from '../../kit/text/verdict.ts';
import type {
  Both,
  ComparedCondition,
  ComparedSite,
  ComparedStack,
  RunFacts,
  RunsComparison,
} from '../summary/runs-comparison.ts';
import { runsText } from '../text/answers.ts';

/** compare.html, a single file. */
export function comparePage(comparison: RunsComparison): string {
  const { runs, conditions } = comparison;
  const experiment = experimentOf(comparison);
  const [, several] = experiment.attempt;
  const metric = metricNamed(experiment, comparison.metric);
  return documentText({
    title: 'Two runs side by side',
    runIds: runs.map(({ runId }) => runId),
    about: html`quic-vs-https. First run: ${runName(runs[0])}. Second run: ${runName(runs[1])}.`,
    contents: html`<li><a href="#runs">The runs</a></li><li><a href="#ratios">Ratios, site by site</a></li><li><a href="#not-compared">Not compared</a></li><li><a href="#method">Method</a></li>`,
    warnings: runs.flatMap((run, place) =>
      run.warnings.map((sentence) => `${ORDINALS[place]}: ${sentence}`),
    ),
    main: html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">What changed between the runs</h2>
<ul class="answers">
${conditions.map(
  (condition) =>
    html`<li><h3>${titleOf(condition)}</h3><div>${condition.arms.map(
      (arm) => html`<p class="sentence">${keepUnitsTogether(runsText(arm, comparison))}</p>
<p class="counts">${countsText(arm, several)}</p>`,
    )}</div></li>`,
)}</ul>
</section>
${theRuns(comparison)}
<section aria-labelledby="ratios">
<h2 id="ratios">Ratios, site by site</h2>
<p>A ratio is the ${metric.phrase} of a stack divided by that of the baseline: below 1 it ${metric.unit === 'ms' ? 'takes less time' : 'is less'}. Each run’s ratio comes
from its own pairs of ${several}. The change is the second run’s ratio divided by the first’s: 1 says that the stacks stand to
each other as before, however fast the machines are. <span class="unprinted">Choose a column’s heading to sort by it.</span></p>
${conditions.map((condition) => condition.arms.map((arm) => stackPart(condition, arm, comparison)))}
</section>
${notCompared(comparison)}
${method(comparison)}`,
    footer: html`Written from run.json, ${experiment.recordFile}, calibrations.jsonl, invocations.jsonl and looks.jsonl of both runs; the same numbers are in compare.json in the same folder.`,
  });
}

const ORDINALS: Both<string> = ['First run', 'Second run'];

function runName({ runId, startedAt }: RunFacts): Markup {
  return html`${nameOf(runId)}, started <time datetime="${startedAt}">${momentText(startedAt)}</time>`;
}

function titleOf({ network, variant }: Pick<ComparedCondition, 'network' | 'variant'>): Markup {
  return conditionTitle({ network, text: conditionText(network, variant) });
}

/** Counts the sites that changed, and those expected by chance: the intervals are not corrected for their number. */
function countsText({ subjects }: ComparedStack, several: string): string {
  const known = subjects.filter(({ ratio }) => ratio !== null && ratio.low !== null);
  if (known.length === 0)
    return `No site has 6 pairs of ${several} in both runs: there are no intervals.`;
  const count = (verdict: Verdict) => known.filter((subject) => subject.verdict === verdict).length;
  const counts = VERDICTS.map(
    (verdict) => `${verdictWord(verdict, { words: BETTER_OR_WORSE })} on ${count(verdict)}`,
  );
  return `Site by site, second run against first: ${counts.join(', ')}. By chance alone, about ${decimalText(known.length / 20, 1)} of ${countWithNoun(known.length, 'site')} would seem changed.`;
}

function theRuns(comparison: RunsComparison): Markup {
  const { runs, differences } = comparison;
  const [, several] = experimentOf(comparison).attempt;
  const perRun = <Line>(cell: (line: Line, run: RunFacts, place: number) => Insert) =>
    runs.map(
      (run, place): Column<Line> => [ORDINALS[place], (line) => cell(line, run, place), 'text'],
    );
  const facts: (readonly [name: string, of: (run: RunFacts) => Insert])[] = [
    ['Run', ({ runId }) => html`<bdi>${runId}</bdi>`],
    ['Started', ({ startedAt }) => momentText(startedAt)],
    [`${capitalize(several)} that count`, ({ nLoads }) => countText(nLoads)],
    ...hostTexts(null).map(
      ([name], line) => [name, ({ host }: RunFacts) => hostTexts(host)[line]?.[1]] as const,
    ),
    ['Path made by', ({ backend }) => backend],
  ];
  return html`<section aria-labelledby="runs">
<h2 id="runs">The runs</h2>
<p>${machinesText(runs)}</p>
${table({
  label: 'Facts about both runs',
  class: 'facts',
  caption: 'The two runs',
  columns: [
    ['Fact', ([name]) => name],
    ...perRun<(typeof facts)[number]>(([, of], run) => of(run)),
  ],
  items: facts,
})}
${
  differences.length === 0
    ? html`<p>Options, versions, machine and settings of the path were the same in both.</p>`
    : html`<h3>What differs</h3>
${table({
  label: 'What differs between the runs',
  class: 'facts',
  caption: 'Everything in which options, versions, machine and settings of the path differ',
  columns: [
    ['Fact', ({ fact }) => html`<bdi>${factName(fact)}</bdi>`],
    ...perRun<(typeof differences)[number]>(({ values }, _, place) =>
      values[place] === null ? '–' : html`<bdi>${values[place]}</bdi>`,
    ),
  ],
  items: differences,
})}`
}</section>`;
}

function machinesText([first, second]: Both<RunFacts>): string {
  if (first.host === null || second.host === null) {
    return 'The machine of at least one run is not known. Times of different machines cannot be compared, so this page compares only ratios.';
  }
  const { loadAverage1m: _, ...host } = first.host;
  const { loadAverage1m: __, ...other } = second.host;
  return JSON.stringify(host) === JSON.stringify(other)
    ? 'According to their records, both runs were made on the same kind of machine with the same system.'
    : 'The runs were made on different machines or systems. Times of different machines cannot be compared, so this page compares only ratios.';
}

function stackPart(
  condition: ComparedCondition,
  arm: ComparedStack,
  comparison: RunsComparison,
): Markup {
  const { marginPercent } = comparison;
  const metric = metricNamed(experimentOf(comparison), comparison.metric);
  const name = `${arm.label} against ${arm.baselineLabel}, ${conditionName(condition)}`;
  const rows: ChangeRow[] = arm.subjects.map(({ subject, ratios, ratio }) => ({
    name: subject,
    ratios,
    change: ratio,
  }));
  if (arm.nSites > 1) {
    rows.push({
      name: `All ${countWithNoun(arm.nSites, 'site')}`,
      ratios: arm.ratios,
      change: arm.ratio,
    });
  }
  return html`<h3>${arm.label} against ${arm.baselineLabel}<span class="numbers">, </span>${titleOf(condition)}</h3>
${roundTripText(condition)}
<figure>
<figcaption>${legend([
    html`<span class="sign stack-1" aria-hidden="true">●</span>first run`,
    html`<span class="sign stack-2" aria-hidden="true">■</span>second run`,
    html`<span class="swatch band" aria-hidden="true"></span>within ${decimalText(marginPercent)} %`,
  ])}</figcaption>
${scrollRegion(
  `Chart: ${name}`,
  changeChart(
    rows,
    marginPercent,
    `Chart: ratio of ${metric.phrases} of ${name} in both runs, with 95 % intervals, for ${countWithNoun(arm.subjects.length, 'site')}. The table below it has the same numbers.`,
  ),
)}
</figure>
${ratioTable(name, arm, comparison)}
`;
}

function roundTripText({ names, measuredRttMs }: ComparedCondition): Markup {
  const [first, second] = measuredRttMs.map((rttMs) =>
    rttMs === null ? 'not measured' : `${decimalText(rttMs, 2)} ms`,
  );
  return html`<p class="quiet">Round trip as measured: ${first} in the first run, ${second} in the second.${
    names[0] !== names[1] && html` The network is called ${nameOf(names[1])} in the second run.`
  }</p>`;
}

function ratioTable(name: string, arm: ComparedStack, comparison: RunsComparison): Markup {
  const metric = metricNamed(experimentOf(comparison), comparison.metric);
  return table({
    label: `Ratios: ${name}`,
    class: 'sortable sites',
    caption: html`Ratios with their 95 % intervals: <bdi>${name}</bdi>. Change: second run ÷ first run.`,
    columns: [
      ['Site', ({ subject }) => nameOf(subject), '', ['Site', ({ subject }) => subject]],
      ...ORDINALS.map((ordinal, place): Columns<ComparedSite> => {
        const run = ordinal.toLowerCase();
        const pairs = ({ nPairs }: ComparedSite) => nPairs[place];
        return {
          over: ordinal,
          columns: [
            ['Pairs', pairs, 'edge', [`pairs of the ${run}`, pairs]],
            ratioColumn(`ratio in the ${run}`, ({ ratios }) => ratios[place]),
            verdictColumn(
              `verdict of the ${run}`,
              ({ verdicts }) => verdicts[place] ?? 'undecided',
              metric,
            ),
          ],
        };
      }),
      {
        over: 'Between the runs',
        columns: [
          ratioColumn('change', ({ ratio }: ComparedSite) => ratio, 'Change', 'edge'),
          verdictColumn('verdict between the runs', ({ verdict }: ComparedSite) => verdict, {
            ...metric,
            words: BETTER_OR_WORSE,
          }),
        ],
      },
    ],
    items: arm.subjects,
  });
}

function notCompared({ onlyIn, otherPages }: RunsComparison): Markup {
  const lists = onlyIn.flatMap(({ subjects, conditions, arms }, place) =>
    (
      [
        ['Sites', subjects],
        ['Conditions', conditions],
        ['Stacks', arms],
      ] as const
    ).flatMap(([what, names]) =>
      names.length === 0
        ? []
        : [
            html`<li>${what} that only the ${place === 0 ? 'first' : 'second'} run has: ${enumerated(names)}</li>`,
          ],
    ),
  );
  if (otherPages.length > 0) {
    lists.push(
      html`<li>Sites whose page was not the same in both runs: ${enumerated(otherPages)}</li>`,
    );
  }
  return html`<section aria-labelledby="not-compared">
<h2 id="not-compared">Not compared</h2>
${lists.length === 0 ? html`<p>Nothing: both runs have the same sites, conditions and stacks.</p>` : html`<ul>${lists}</ul>`}
</section>`;
}

function enumerated(names: readonly string[]): Markup[] {
  return names.map((name, index) => html`${index > 0 && ', '}${nameOf(name)}`);
}

function method(comparison: RunsComparison): Markup {
  const { marginPercent } = comparison;
  const [, several] = experimentOf(comparison).attempt;
  return html`<section aria-labelledby="method">
<h2 id="method">Method</h2>
<p>${capitalize(several)} of different runs are never paired: machines, days and disturbances differ. Within each run, a pair is two ${several} of one
block, and the run’s ratio is e to the power of the Hodges-Lehmann estimate of the log ratios of its pairs, as in its own report.</p>
<p>The change on a site is the ratio of the two ratios. Its 95 % interval comes from 10,000 resamples of each run’s pairs, drawn
independently and from a seed, with percentiles widened for small samples after Student’s t with Welch’s degrees of freedom. It
needs 6 pairs in both runs. <em>Same</em>: the whole interval lies within the margin of ${decimalText(marginPercent)} %.
<em>Better</em> or <em>worse</em>: it excludes 1. Otherwise the change is undecided. The verdicts of single sites are not corrected for their number.</p>
<p>Over all sites, the change is the geometric mean of the sites’ changes, all with the same weight, and applies to these sites only: the
errors of both runs are combined, each from the pairs within its sites, as in the primary answers of a run’s report. A load that
failed by its own server or page counts as worse than all that ended. These intervals are corrected for the number of stacks and conditions, so that by
chance alone at most one comparison in twenty has a wrong verdict here. The ratios of both runs are over the same sites, so they can
differ from the report of a run that had more sites.</p>
</section>`;
}
