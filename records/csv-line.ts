/** A field of a table: null is empty, numbers have at most 3 decimals. */
export type CsvValue = string | number | null;

/** One line of a table, its fields quoted as RFC 4180 says, without its line feed. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(field).join(',');
}

function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
