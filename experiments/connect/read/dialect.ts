import type { ReadRow, ReadTable } from '../../reading.ts';
import type { TableRow } from './table-file.ts';

/** Conversion of one kind of table to attempts. */
export interface Dialect extends Pick<ReadTable, 'metric' | 'baseline'> {
  /** Returns a function that converts the rows of a file, in their order. */
  reader(file: string): (row: TableRow) => ReadRow;
}
