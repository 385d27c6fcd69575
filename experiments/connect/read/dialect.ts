import type { ReadRow, ReadTable } from '../../reading.ts';
import type { TableRow } from './table-file.ts';

/** How the rows of one kind of table become attempts. */
export interface Dialect extends Pick<ReadTable, 'metric' | 'baseline'> {
  /** Makes what turns the rows of a file into attempts, in their order. */
  reader(file: string): (row: TableRow) => ReadRow;
}
