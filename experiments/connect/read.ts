import type { ImportedTable } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import type { ReadRow, TableReader } from '../reading.ts';
import { JAEGER_COLUMNS } from './jaeger.ts';
import type { Dialect } from './read/dialect.ts';
import { jaeger } from './read/jaeger.ts';
import { own } from './read/own.ts';
import { columnsOf, rowsOf } from './read/table-file.ts';
import { CONNECTION_COLUMNS } from './table.ts';

const DIALECTS: Readonly<Record<ImportedTable['dialect'], Dialect>> = { own, jaeger };

/** Reads connections.csv of a run, or a file in the format of B. Jaeger's study. */
export const reading: TableReader = {
  async open(file) {
    const dialect = dialectOf(file, await columnsOf(file));
    const { metric, baseline, reader } = DIALECTS[dialect];
    return {
      dialect,
      metric,
      baseline,
      async *rows(): AsyncGenerator<ReadRow> {
        const read = reader(file);
        for await (const row of rowsOf(file)) yield read(row);
      },
    };
  },
};

function dialectOf(file: string, columns: readonly string[]): ImportedTable['dialect'] {
  const published = Object.keys(JAEGER_COLUMNS);
  if (CONNECTION_COLUMNS.every((column) => columns.includes(column))) return 'own';
  if (columns.join() === published.join()) return 'jaeger';
  throw new UsageError(
    `${file} is not a table of connections: expected the columns ${published.join(';')}, or those of a connections.csv. Its heading is ${JSON.stringify(columns.join(';').slice(0, 200))}.`,
  );
}
