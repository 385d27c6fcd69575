/** A field of a table: null is empty, numbers have at most 3 decimals. */
export type CsvValue = string | number | null;

/** One line of a table, its fields quoted as RFC 4180 says, without its line feed. */
export function csvLine(values: readonly CsvValue[], separator: ',' | ';' = ','): string {
  return values.map(field).join(separator);
}

function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The beginning of a formula of a spreadsheet, after any blanks and invisible characters. A text with apostrophes before it
 * gets another one, so that reading gives what was written.
 */
const FORMULA = /^'*[\s\p{Z}\p{C}]*[=+\-@＝＋－＠−\t\r\n]/u;

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Takes off the apostrophe that csvLine() puts before a formula. */
export function csvText(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}
