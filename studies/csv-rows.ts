import path from 'node:path';
import { projectFolder } from '../ground/system/folders.mjs';
import { readPlainTextSync } from '../ground/system/plain-file.ts';

/** @throws Error that names the file, and the line or field with the error */
export function readCsv<Column extends string, Row>(
  file: string,
  columns: readonly Column[],
  rowOf: (fields: Record<Column, string>) => Row,
): Row[] {
  try {
    return csvRows(readPlainTextSync(file), columns).map(rowOf);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`${path.relative(projectFolder, file)} cannot be read: ${message}`, { cause });
  }
}

/** Reads the tables in the folder `data` of a study. */
export function dataOf(study: string) {
  return <Column extends string, Row>(
    file: string,
    columns: readonly Column[],
    rowOf: (fields: Record<Column, string>) => Row,
  ): Row[] => readCsv(path.join(study, 'data', file), columns, rowOf);
}

/** @throws Error with `lacking` if the table has no such row */
export function onlyRow<Row>(
  rows: readonly Row[],
  isMeant: (row: Row) => boolean,
  lacking: string,
) {
  const row = rows.find(isMeant);
  if (!row) throw new Error(`studies/${lacking}`);
  return row;
}

/**
 * Rows of a CSV file without quotes, by the column names in its first line.
 * @throws Error that names the first line with missing or extra fields
 */
export function csvRows<Column extends string>(
  text: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const names = head.split(',');
  const places = columns.map((column) => [column, names.indexOf(column)] as const);
  const lacking = places.filter(([, place]) => place < 0).map(([column]) => column);
  if (lacking.length > 0) {
    throw new Error(`line 1 has the columns ${head}, expected ${lacking.join(', ')} among them`);
  }
  return lines.map((line, index) => {
    const fields = line.split(',');
    if (fields.length !== names.length) {
      throw new Error(
        `line ${index + 2} has ${fields.length} fields, expected ${names.length} as in line 1: ${line}`,
      );
    }
    const cells = places.map(([column, place]) => [column, fields[place]]);
    return Object.fromEntries(cells) as Record<Column, string>;
  });
}

/** @throws Error unless it is a non-negative decimal number */
export function numberOf(text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new Error(`got "${text}", expected a number`);
  return Number(text);
}
