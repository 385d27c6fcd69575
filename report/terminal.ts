import type { Metric } from '../experiments/experiment.ts';
import { experimentOf, verdictMetric } from '../experiments/index.ts';
import { isGenerated } from './page/name.ts';
import type { Comparison, PrimaryAnswer } from './summary/comparison.ts';
import type { ConditionChange, Interaction } from './summary/condition-change.ts';
import type { SummaryRow } from './summary/rows.ts';
import type { RunsComparison } from './summary/runs-comparison.ts';
import type { Summary } from './summary/summary.ts';
import { capital } from './text/capital.ts';
import { endSentence } from './text/end.ts';
import type { Estimate } from './text/estimate.ts';
import { factName } from './text/fact-name.ts';
import { NOT_KNOWN } from './text/host.ts';
import { counted, countText } from './text/number.ts';
import { worthText } from './text/ratio-words.ts';
import {
  bar,
  inColumns,
  mostShown,
  printable,
  shortened,
  sides,
  wrapped,
} from './text/terminal.ts';
import { valueWithUnit } from './text/value.ts';
import { COMES_OFF, verdictWord } from './text/verdict.ts';

/**
 * The primary answers, each with a bar for every site, and what to know about them, for a terminal; ends with a line feed.
 * Without any load there is nothing to show, and whatever stopped the run has to be seen.
 * @param columns of the terminal, at which sentences are broken; undefined: not at all
 */
export function summaryTable(summary: Summary, columns?: number): string {
  const text = (sentence: string) => wrapped(printable(sentence), columns);
  const notes = notesOn(summary).map(text).join('\n');
  if (summary.progress.donePageLoads === 0) return `${notes}\n`;
  const parts = summary.primary.map((answer) =>
    [text([answer.sentence, ...answer.notes].join(' ')), barsOf(answer, summary)]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  const changes = conditionChanges(summary, text);
  return `${[...parts, changes, notes].filter((part) => part !== '').join('\n\n')}\n`;
}

/** What conditions change for each stack, and for one against another: a line each, over all sites, where there are pairs. */
function conditionChanges(summary: Summary, text: (sentence: string) => string): string {
  const changes = [...summary.conditionChanges, ...summary.interactions].filter(
    ({ nPairs }) => nPairs > 0,
  );
  const metric = verdictMetric(summary);
  const most = mostShown(
    changes.map(({ ratio }) => ratio),
    summary.analysis.marginPercent,
  );
  const labelOf = (arm: string) =>
    printable(summary.rows.find((row) => row.arm === arm)?.label ?? arm);
  const [head = '', ...lines] = inColumns(
    [
      ['', sides(metric.unit), 'verdict', 'difference'],
      ...changes.map((each) => {
        const [stacks, words] =
          'baseline' in each
            ? [`${labelOf(each.arm)} against ${labelOf(each.baseline)}`, COMES_OFF]
            : [labelOf(each.arm), metric.words];
        return [
          stacks,
          bar(each.ratio, most),
          verdictWord(each.verdict, { words }),
          differenceWords(each.difference, metric),
        ];
      }),
    ],
    ['end', 'end', 'end', 'end'],
  ).split('\n');
  const rows = Map.groupBy(lines.entries(), ([index]) => pairText(changes[index] as Change));
  return [...rows]
    .map(([pair, own]) => [text(pair), head, ...own.map(([, line]) => line)].join('\n'))
    .join('\n\n');
}

type Change = ConditionChange | Interaction;

function pairText({ from, to, shared }: Change): string {
  return `${capital(to.text)} against ${from.text}, ${shared}:`;
}

function differenceWords(difference: Estimate | null, metric: Metric): string {
  if (difference === null) return '–';
  const { worth, interval } = worthText(difference, metric);
  return interval === null ? worth : `${worth} (${interval})`;
}

/** More would be scrolled past. */
const MOST_SITES = 40;

/** The sites of an answer, and all of them together where there are several. */
function barsOf(answer: PrimaryAnswer, summary: Summary): string {
  const { analysis, rows } = summary;
  const metric = verdictMetric(summary);
  const own = summary.comparisons.filter((each) => isOf(each, answer));
  if (own.length === 0) return '';
  const most = mostShown(
    [...own, answer].map(({ ratio }) => ratio),
    analysis.marginPercent,
  );
  const rowOf = (subject: string, arm: string) =>
    rows.find(
      (row) =>
        row.subject === subject &&
        row.arm === arm &&
        isOf(answer, { network: row.network.name, variant: row.variant, arm: answer.arm }),
    );
  const labelOf = (arm: string) => printable(rows.find((row) => row.arm === arm)?.label ?? arm);
  const lines = [
    [
      experimentOf(summary).site[0],
      sides(metric.unit),
      'verdict',
      labelOf(answer.arm),
      labelOf(answer.baseline),
    ],
    ...own.slice(0, MOST_SITES).map(({ subject, ...alone }) => {
      // A single site is all that the answer is about: it has no other verdict.
      const { ratio, verdict } = own.length === 1 ? answer : alone;
      return [
        siteText(subject, summary),
        bar(ratio, most),
        verdictWord(verdict, metric),
        medianText(rowOf(subject, answer.arm), metric),
        medianText(rowOf(subject, answer.baseline), metric),
      ];
    }),
  ];
  const more = own.length - MOST_SITES;
  if (more > 0) lines.push([`${countText(more)} more in the report`, '', '', '', '']);
  if (own.length > 1) {
    const whole = answer.nSites === own.length ? 'all' : `${answer.nSites} of`;
    lines.push([
      `${whole} ${own.length} together`,
      bar(answer.ratio, most),
      verdictWord(answer.verdict, metric),
      '',
      '',
    ]);
  }
  return inColumns(lines, ['end', 'end', 'end', 'start', 'start']);
}

/** A site as it is shown: with what it must not be taken for. */
function siteText(name: string, summary: Summary): string {
  return `${shortened(printable(name), 40)}${isGenerated(summary, name) ? ' (generated)' : ''}`;
}

function isOf(
  one: Pick<Comparison, 'arm' | 'network' | 'variant'>,
  other: Pick<Comparison, 'arm' | 'network' | 'variant'>,
): boolean {
  return one.arm === other.arm && one.network === other.network && one.variant === other.variant;
}

/** The counts stand there only where they say something: loads are left out. */
function medianText(row: SummaryRow | undefined, { name, unit }: Metric): string {
  if (!row) return '–';
  const counts = row.n < row.nPlanned ? ` (${row.n}/${row.nPlanned})` : '';
  return `${valueWithUnit(row.metrics[name]?.median, unit)}${counts}`;
}

/** What to know about the answers, as sentences; without any load, that there is none and why. */
function notesOn(summary: Summary): string[] {
  const { attempt, site: nouns } = experimentOf(summary);
  const [one, several] = attempt;
  const [site] = nouns;
  const { rows, comparisons, controls, ledger, warnings } = summary;
  const end = endSentence(summary);
  if (summary.progress.donePageLoads === 0) {
    return [`No ${one} was measured.`, ...(summary.looks && end ? [end] : []), ...leftOut(summary)];
  }
  const lines = [
    ...(end === null ? [] : [end]),
    ...controls.map(({ sentence }) => `Control: ${sentence}`),
    ...warnings,
  ];
  if (rows.some(({ n, nPlanned }) => n < nPlanned)) {
    lines.push(`In brackets: counted ${several} of planned ones, where some are left out.`);
  }
  const pairs = comparisons.map(({ nPairs }) => nPairs);
  const advice = summary.looks ? '' : ' Leave --repetitions out, or ask for 12 or more.';
  if (comparisons.length > 0 && comparisons.every(({ p }) => p === null)) {
    lines.push(
      `Nothing can be told of a single ${site}: at most ${counted(Math.max(...pairs), 'pair')} of ${several} for each ${site} and stack, and no test can tell below 6.${advice}`,
    );
  }
  lines.push(...leftOut(summary));
  if (ledger.nExcluded > 0) {
    lines.push(
      `${counted(ledger.nExcluded, `ok ${one}`, `ok ${several}`)} left out because ${several} of the same block were made on several machines, or twice.`,
    );
  }
  const { nLoads } = ledger.disturbed;
  if (nLoads > 0) {
    lines.push(
      `${counted(nLoads, one, several)} ${nLoads === 1 ? 'was' : 'were'} made while the machine was not quiet; see the report for the result without ${nLoads === 1 ? 'it' : 'them'}.`,
    );
  }
  return lines;
}

/** Loads that are in no statistic, by reason, and what to do where there are no others. */
function leftOut({ ledger, experiment }: Summary): string[] {
  const { attempt } = experimentOf({ experiment });
  const entries = ledger.entries.map(({ outcome, code, count, warmupCount, example }) => {
    const loads = count > 0 ? [counted(count, ...attempt)] : [];
    const warmups = warmupCount > 0 ? [counted(warmupCount, 'warm-up')] : [];
    return `${[...loads, ...warmups].join(' and ')} ${outcome}: ${code} (first: ${example.subject}, ${example.arm}: ${example.message ?? 'no message'})`;
  });
  return [...entries, ...ledger.remedies];
}

/**
 * What a terminal shows of a comparison: its sentences, and how much was not the same; ends with a line feed.
 * @param columns of the terminal, at which sentences are broken; undefined: not at all
 */
export function comparisonText(
  { runs, conditions, differences }: RunsComparison,
  columns?: number,
): string {
  const [first, second] = runs;
  const lines = [
    `First run: ${first.runId}, ${processorOf(first)}. Second run: ${second.runId}, ${processorOf(second)}.`,
    ...conditions.flatMap(({ arms }) => arms.map(({ sentence }) => sentence)),
    differences.length === 0
      ? 'Options, versions and machine were the same.'
      : `Not the same in both: ${differences.map(({ fact }) => factName(fact)).join('; ')}.`,
  ];
  return `${lines.map((line) => wrapped(printable(line), columns)).join('\n\n')}\n`;
}

function processorOf({ host }: RunsComparison['runs'][number]): string {
  return host?.cpu ?? `processor ${NOT_KNOWN}`;
}
