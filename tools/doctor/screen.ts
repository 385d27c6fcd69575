import type { CheckResult, Finding } from '../../ground/host/check.ts';
import { printable } from '../../ground/system/printed.mjs';
import { wrapText } from '../../kit/text/terminal.ts';

export interface ScreenOptions {
  widthColumns: number;
  colours: boolean;
}

const DEFAULT_COLUMNS = 100;

export function screenOptions(): ScreenOptions {
  return {
    widthColumns: process.stdout.columns ?? DEFAULT_COLUMNS,
    colours: process.stdout.isTTY && process.stdout.hasColors(),
  };
}

const STATUS_COLUMNS = 6;
const NAME_COLUMNS = 20;
// Below that a column of text is too narrow to be read.
const MIN_TEXT_COLUMNS = 30;

const COLOUR: Record<Finding['status'], number> = { ok: 32, note: 33, lack: 31 };

/** One check: status, name, finding, and below it the remedy. */
export function resultText(
  { status, name, found, remedy }: CheckResult,
  { widthColumns, colours }: ScreenOptions,
): string {
  const indent = 2 + STATUS_COLUMNS + NAME_COLUMNS;
  const columns = Math.max(MIN_TEXT_COLUMNS, widthColumns - indent);
  const word = status.padEnd(STATUS_COLUMNS);
  const shown = colours ? `\u001B[${COLOUR[status]}m${word}\u001B[0m` : word;
  const lines = [...wrap(found, columns), ...(remedy ? wrap(remedy, columns - 3, '-> ') : [])].map(
    printable,
  );
  return `  ${shown}${printable(name).padEnd(NAME_COLUMNS)}${lines.join(`\n${' '.repeat(indent)}`)}`;
}

/** The last line: whether the benchmark can run, and what is missing. */
export function verdictText(results: readonly CheckResult[]): string {
  const lacks = results.filter(({ status }) => status === 'lack');
  const notes = results.filter(({ status }) => status === 'note').length;
  const noteText = notes === 0 ? '' : ` (${notes} ${notes === 1 ? 'note' : 'notes'} above)`;
  if (lacks.length === 0) return `This machine can run the benchmark${noteText}.`;
  return `This machine cannot run the benchmark yet; it lacks: ${lacks.map(({ name }) => name).join('; ')}.`;
}

function wrap(text: string, columns: number, first = ''): string[] {
  const lines = wrapText(text.replace(/\s+/g, ' '), columns).split('\n');
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(first.length)) + line);
}
