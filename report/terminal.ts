import { namedConditionText } from '../experiments/condition.ts';
import { verdictMetric } from '../experiments/index.ts';
import type { Metric } from '../ground/experiment.ts';
import { printable } from '../ground/system/printed.mjs';
import { capitalize } from '../kit/text/capitalize.ts';
import { type Estimate, ratioText } from '../kit/text/estimate.ts';
import { NOT_KNOWN } from '../kit/text/host.ts';
import { countText, countWithNoun, momentText } from '../kit/text/number.ts';
import { worthText } from '../kit/text/ratio-words.ts';
import { sentences } from '../kit/text/sentences.ts';
import {
  alignColumns,
  ratioBar,
  ratioBarLimit,
  ratioBarSides,
  shorten,
  wrapText,
} from '../kit/text/terminal.ts';
import { BETTER_OR_WORSE, verdictWord } from '../kit/text/verdict.ts';
import { differenceNotes, notesOn } from './notes.ts';
import { type SiteRow, sitesOf } from './site-rows.ts';
import type { PrimaryAnswer } from './summary/comparison.ts';
import type { ConditionChange } from './summary/condition-change.ts';
import { filmedPairs } from './summary/filmed.ts';
import type { RunsComparison } from './summary/runs-comparison.ts';
import type { RunsHistory } from './summary/runs-history.ts';
import { secondaryTo } from './summary/secondary.ts';
import type { Summary } from './summary/summary.ts';
import {
  answerText,
  filmedText,
  headingOf,
  labelIn,
  labelOfBoth,
  runsText,
  secondaryText,
} from './text/answers.ts';
import { baselineText, historyText, newerText, questionsByCondition } from './text/history.ts';
import { mixText } from './text/mix.ts';
import { recommendationLines, STOCK_TRANSPORTS } from './text/recommendation.ts';

/**
 * Primary answers, their further metrics, a bar for every site, caveats, and last the recommendation, for a terminal; ends
 * with a line feed.
 * A run without loads has the reason instead.
 * @param columns width of the terminal; undefined: lines are not broken
 */
export function summaryTable(summary: Summary, columns?: number): string {
  const text = (sentence: string) => wrapText(printable(sentence), columns);
  const notes = notesOn(summary).map(text).join('\n');
  if (summary.progress.donePageLoads === 0) return `${notes}\n`;
  const parts = summary.primary.map((answer, index) => {
    const before = summary.primary[index - 1];
    const isOther = before?.network !== answer.network || before.variant !== answer.variant;
    return [
      isOther ? text(headingOf(answer, summary)) : '',
      text([answerText(answer, summary), ...answer.notes].join(' ')),
      text(
        secondaryTo(answer, summary)
          .flatMap((each) => [secondaryText(each, summary), ...each.notes])
          .concat(filmedPairs(answer, summary).map(filmedText))
          .join(' '),
      ),
      barsOf(answer, summary),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  const changes = conditionChanges(summary, text);
  const explanations = explanationsOfAllPages(summary).map(text).join('\n\n');
  const { matchedCommand } = summary;
  const last = [
    ...(matchedCommand ? [`${text(STOCK_TRANSPORTS)}\n${printable(matchedCommand)}`] : []),
    ...summary.mix.map((answer) => text(mixText(answer, summary))),
    ...summary.recommendations.flatMap((each) => recommendationLines(each, summary).map(text)),
  ];
  return `${[...parts, explanations, changes, notes, ...last].filter((part) => part !== '').join('\n\n')}\n`;
}

/** The parts of each gain over all pages, as sentences with their conditions. */
function explanationsOfAllPages({ explanations = [], networks, subjects }: Summary): string[] {
  return explanations
    .filter(({ subject }) => subject === null || subjects.length === 1)
    .map(({ network, variant, sentence }) => {
      const condition = networks.find(({ name }) => name === network);
      return `${condition ? capitalize(namedConditionText(condition, variant)) : network}: ${sentence}`;
    });
}

/** Effects of conditions over all sites, on each stack and on one stack against another: a line each. */
function conditionChanges(summary: Summary, text: (sentence: string) => string): string {
  const changes = summary.conditionChanges.filter(({ nPairs }) => nPairs > 0);
  const metric = verdictMetric(summary);
  const most = ratioBarLimit(
    changes.map(({ ratio }) => ratio),
    summary.analysis.marginPercent,
  );
  const labelOf = (change: ConditionChange, arm: string) =>
    printable(labelOfBoth(change, labelIn(summary, arm)));
  const [head = '', ...lines] = alignColumns(
    [
      ['', ratioBarSides(metric.unit), 'ratio', 'verdict', 'difference'],
      ...changes.map((each) => {
        const [stacks, words] =
          each.baseline === null
            ? [labelOf(each, each.arm), metric.words]
            : [
                `${labelOf(each, each.arm)} against ${labelOf(each, each.baseline)}`,
                BETTER_OR_WORSE,
              ];
        return [
          stacks,
          ratioBar(each.ratio, most),
          each.ratio === null ? '–' : ratioText(each.ratio.estimate),
          verdictWord(each.verdict, { words }),
          differenceWords(each.difference, metric),
        ];
      }),
    ],
    ['end', 'end', 'start', 'end', 'end'],
  ).split('\n');
  const rows = Map.groupBy(lines.entries(), ([index]) =>
    pairText(changes[index] as ConditionChange),
  );
  return [...rows]
    .map(([pair, own]) => [text(pair), head, ...own.map(([, line]) => line)].join('\n'))
    .join('\n\n');
}

function pairText({ from, to, shared }: ConditionChange): string {
  return `${capitalize(to.text)} against ${from.text}, ${shared}:`;
}

function differenceWords(difference: Estimate | null, metric: Metric): string {
  if (difference === null) return '–';
  const { worth, interval } = worthText(difference, metric);
  return interval === null ? worth : `${worth} (${interval})`;
}

/** Longer lists scroll off the screen. */
const MOST_SITES = 40;

/** The sites of an answer, and all of them together if there are several. */
function barsOf(answer: PrimaryAnswer, summary: Summary): string {
  const metric = verdictMetric(summary);
  const { heads, sites, together } = sitesOf(answer, summary);
  if (sites.length === 0) return '';
  const most = ratioBarLimit(
    [...sites, answer].map(({ ratio }) => ratio),
    summary.analysis.marginPercent,
  );
  const [site, arm, baseline] = heads;
  const line = ({ name, ratio, verdict, medians }: SiteRow) => [
    name,
    ratioBar(ratio, most),
    verdictWord(verdict, metric),
    ...medians,
  ];
  const lines = [
    [site, ratioBarSides(metric.unit), 'verdict', printable(arm), printable(baseline)],
    ...sites
      .slice(0, MOST_SITES)
      .map((row) => line({ ...row, name: `${shorten(printable(row.name), 40)}${row.mark}` })),
  ];
  const more = sites.length - MOST_SITES;
  if (more > 0) lines.push([`${countText(more)} more in the report`, '', '', '', '']);
  if (together) lines.push(line(together));
  return alignColumns(lines, ['end', 'end', 'end', 'start', 'start']);
}

/**
 * Text of a comparison for a terminal; ends with a line feed.
 * @param columns width of the terminal; undefined: lines are not broken
 */
export function comparisonText(comparison: RunsComparison, columns?: number): string {
  const [first, second] = comparison.runs;
  const lines = [
    `First run: ${first.runId}, ${processorOf(first)}. Second run: ${second.runId}, ${processorOf(second)}.`,
    ...comparison.conditions.flatMap(({ network, variant, arms }) => [
      namedConditionText(network, variant),
      ...arms.map((stack) => runsText(stack, comparison)),
    ]),
    ...differenceNotes(comparison),
  ];
  return `${lines.map((line) => wrapText(printable(line), columns)).join('\n\n')}\n`;
}

/** Excluded runs to name in a terminal. */
const MOST_EXCLUDED = 5;

/** Text of a history for a terminal, as comparisonText(). */
export function historySentences(history: RunsHistory, columns?: number): string {
  const { runs, excluded, questions } = history;
  const ends = [runs.at(0), runs.at(-1)].map((run) => momentText(run?.startedAt ?? ''));
  const lines = [
    sentences(
      `${countWithNoun(runs.length, 'run')} from ${ends.join(' to ')}.`,
      newerText(history),
    ).join(' '),
    ...questionsByCondition(questions).flatMap((own) => [
      ...own.map(
        (question) =>
          `${capitalize(namedConditionText(question.network, question.variant))}: ${historyText(question, history)}`,
      ),
      ...sentences(baselineText(own)),
    ]),
    ...excluded.slice(0, MOST_EXCLUDED).map(({ name, reason }) => `Excluded: ${name}. ${reason}`),
    ...(excluded.length > MOST_EXCLUDED
      ? [
          `${countWithNoun(excluded.length - MOST_EXCLUDED, 'more run')} excluded; the page has the reasons.`,
        ]
      : []),
  ];
  return `${lines.map((line) => wrapText(printable(line), columns)).join('\n\n')}\n`;
}

function processorOf({ host }: RunsComparison['runs'][number]): string {
  return host?.cpu ?? `processor ${NOT_KNOWN}`;
}
