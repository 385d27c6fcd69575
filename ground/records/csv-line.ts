/** A field of a table; null: empty. Numbers are rounded to 3 decimals. */
export type CsvValue = string | number | null;

/** A line without its line feed, quoted by RFC 4180. */
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
 * Start of a spreadsheet formula, after blanks and invisible characters. Text that starts with apostrophes gets
 * another one, so that csvText() restores the original.
 */
const FORMULA = /^'*[\s\p{Z}\p{C}]*[=+\-@＝＋－＠−\t\r\n]/u;

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Removes the apostrophe that csvLine() puts before a formula. */
export function csvText(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}
