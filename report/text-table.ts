import { conditionsOf, conditionText, rowsBySite } from './condition.ts';
import { counted, millisecondsText } from './number-text.ts';
import type { Summary, SummaryRow } from './summary.ts';

/** The medians of the page load time per site and stack, for a terminal; ends with a line feed. */
export function summaryTable(summary: Summary): string {
  const parts = conditionsOf(summary.rows).map(({ condition, rows }) => {
    const network = `${printable(condition.name)}: ${conditionText(condition)}`;
    const title = `Median page load time in ms; network ${network} (in brackets: ok loads of planned)`;
    return `${title}\n\n${tableOf(rows)}`;
  });
  return `${[...parts, notesOn(summary)].join('\n\n')}\n`;
}

function tableOf(rows: readonly SummaryRow[]): string {
  const labelOf = new Map(rows.map((row) => [row.stack, row.label]));
  const lines = [['site', ...[...labelOf.values()].map(printable)]];
  for (const [site, siteRows] of rowsBySite(rows)) {
    const cells = [...labelOf.keys()].map((stack) =>
      cellOf(siteRows.find((row) => row.stack === stack)),
    );
    lines.push([shortened(printable(site)), ...cells]);
  }
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? pad(cell, widths?.[column], 'end') : pad(cell, widths?.[column], 'start'),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function cellOf(row: SummaryRow | undefined): string {
  if (!row) return '–';
  return `${millisecondsText(row.timingsMs.pageLoad?.median)} (${row.nOk}/${row.nPlanned})`;
}

function notesOn(summary: Summary): string {
  const lines = [...summary.warnings];
  for (const { outcome, code, count, warmupCount, example } of summary.ledger) {
    const warmups = warmupCount > 0 ? `, and ${counted(warmupCount, 'warm-up')}` : '';
    lines.push(
      `${counted(count, 'load')}${warmups} ${outcome}: ${code} (first: ${example.site}, ${example.stack}: ${example.message ?? 'no message'})`,
    );
  }
  lines.push('Medians only: this version computes no intervals and no verdicts.');
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
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
