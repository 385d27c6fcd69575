import type { Comparison } from './analysis/comparison.ts';
import { conditionsOf, conditionText, rowsBySite } from './condition.ts';
import type { MetricName } from './metrics/metric.ts';
import { verdictMetric } from './metrics/verdict-metric.ts';
import { counted, millisecondsText } from './number-text.ts';
import type { Summary } from './summary.ts';
import type { SummaryRow } from './summary-row.ts';

/**
 * The answer of each condition, the medians of the metric of verdicts with their verdicts, and what to know about them, for
 * a terminal; ends with a line feed.
 */
export function summaryTable(summary: Summary): string {
  const { analysis, pooled } = summary;
  const metric = verdictMetric(analysis);
  const conditions = conditionsOf(summary.rows.filter(({ controlOf }) => controlOf === null));
  const parts = conditions.map(({ condition, visit, rows }) => {
    const sentences = pooled
      .filter((one) => one.network === condition.name && one.visit === visit)
      .map(({ sentence, notes }) => printable([sentence, ...notes].join(' ')));
    const baseline = rows.find(({ stack }) => stack === analysis.baseline)?.label ?? '';
    const title = printable(
      `Median ${metric.time} in ms and verdict against ${baseline}; network ${condition.name}: ${conditionText(condition, visit)}`,
    );
    return [sentences.join('\n'), title, tableOf(rows, summary)]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  const notes = notesOn(summary);
  return `${[...parts, ...(notes === '' ? [] : [notes])].join('\n\n')}\n`;
}

function tableOf(rows: readonly SummaryRow[], { analysis, comparisons }: Summary): string {
  const { name } = verdictMetric(analysis);
  const labelOf = new Map(rows.map((row) => [row.stack, row.label]));
  const stacks = [...labelOf.keys()];
  const headings = stacks.flatMap((stack) => {
    const label = printable(labelOf.get(stack) ?? stack);
    return stack === analysis.baseline ? [label] : [label, 'verdict'];
  });
  const lines = [['site', ...headings]];
  for (const [site, siteRows] of rowsBySite(rows)) {
    const cells = stacks.flatMap((stack) => {
      const row = siteRows.find((one) => one.stack === stack);
      const value = medianText(row, name);
      if (stack === analysis.baseline) return [value];
      return [value, comparisons.find((one) => row && isOf(one, row))?.verdict ?? '–'];
    });
    lines.push([shortened(printable(site)), ...cells]);
  }
  const isText = lines[0]?.map((heading, column) => column === 0 || heading === 'verdict') ?? [];
  const widths = isText.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column], isText[column] ? 'end' : 'start'))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function isOf(comparison: Comparison, { site, stack, network, visit }: SummaryRow): boolean {
  return (
    comparison.site === site &&
    comparison.stack === stack &&
    comparison.network === network.name &&
    comparison.visit === visit
  );
}

/** The counts stand there only where they say something: loads are left out. */
function medianText(row: SummaryRow | undefined, metric: MetricName): string {
  if (!row) return '–';
  const counts = row.n < row.nPlanned ? ` (${row.n}/${row.nPlanned})` : '';
  return `${millisecondsText(row.metrics[metric].median)}${counts}`;
}

function notesOn({ rows, comparisons, controls, ledger, warnings }: Summary): string {
  const lines = [...controls.map(({ sentence }) => `Control: ${sentence}`), ...warnings];
  if (rows.some(({ n, nPlanned }) => n < nPlanned)) {
    lines.push('In brackets: counted loads of planned ones, where some are left out.');
  }
  const pairs = comparisons.map(({ nPairs }) => nPairs);
  if (comparisons.length > 0 && comparisons.every(({ p }) => p === null)) {
    lines.push(
      `No verdicts: at most ${counted(Math.max(...pairs), 'pair')} of loads for each site and stack, and no test can tell below 6. Ask for --repetitions 20 or more.`,
    );
  }
  for (const { outcome, code, count, warmupCount, example } of ledger.entries) {
    const loads = count > 0 ? [counted(count, 'load')] : [];
    const warmups = warmupCount > 0 ? [counted(warmupCount, 'warm-up')] : [];
    lines.push(
      `${[...loads, ...warmups].join(' and ')} ${outcome}: ${code} (first: ${example.site}, ${example.stack}: ${example.message ?? 'no message'})`,
    );
  }
  if (ledger.nExcluded > 0) {
    lines.push(
      `${counted(ledger.nExcluded, 'ok load')} left out because another load of the same block is not ok or is missing.`,
    );
  }
  const { nLoads } = ledger.disturbed;
  if (nLoads > 0) {
    lines.push(
      `${counted(nLoads, 'load')} ${nLoads === 1 ? 'was' : 'were'} made while the machine was not quiet; see the report for the result without ${nLoads === 1 ? 'it' : 'them'}.`,
    );
  }
  return lines.map(printable).join('\n');
}

function pad(text: string, width = 0, side: 'start' | 'end'): string {
  const blanks = ' '.repeat(Math.max(0, width - [...text].length));
  return side === 'start' ? blanks + text : text + blanks;
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= 40 ? name : `${characters.slice(0, 39).join('')}…`;
}

/** Names and messages come from pages and programs: nothing in them may steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
