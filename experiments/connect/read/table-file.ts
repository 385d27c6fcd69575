import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { csvText } from '../../../ground/records/csv-line.ts';
import { TooLargeError } from '../../../ground/system/bounded-buffer.ts';
import { gunzipped } from '../../../ground/system/bounded-unpacking.ts';
import { UsageError } from '../../../ground/system/exit-status.ts';
import { reasonOf } from '../../../ground/system/file-error.ts';

/** One row of a table: its fields by the names of their columns. */
export interface TableRow {
  /** Line in the file, from 1. */
  line: number;
  fields: Readonly<Record<string, string>>;
}

/** Longer rows have a quote that is never closed. */
const LONGEST_ROW_BYTES = 100_000;

/** Largest unpacked file; the largest published table has some ten MB. */
const MOST_BYTES = 4_000_000_000;

const GZIP_MAGIC = [0x1f, 0x8b];

/** Limits the parser's message, which quotes its input. */
const MOST_MESSAGE_CHARACTERS = 300;

/** Bytes of the first line; it is not a heading if it is longer. */
const LONGEST_HEADING = 20_000;

/**
 * The names of a table's columns: a CSV file with commas or semicolons, plain or gzip. Drops a last column without a name,
 * because some programs end each line with the separator.
 * @throws UsageError when the file cannot be read
 */
export async function columnsOf(file: string): Promise<string[]> {
  for await (const { record } of records(file)) return withoutLast(record);
  throw new UsageError(`${file} is empty: expected a heading and rows.`);
}

/**
 * All rows of a table, in order.
 * @throws UsageError with the line of a row that is not CSV or whose number of fields differs from the heading's
 */
export async function* rowsOf(file: string): AsyncGenerator<TableRow> {
  let columns: string[] | null = null;
  for await (const { record, line } of records(file)) {
    if (columns === null) {
      columns = withoutLast(record);
      continue;
    }
    const surplus = record.length > columns.length && record.at(-1) === '' ? 1 : 0;
    if (record.length - surplus !== columns.length) {
      throw new UsageError(
        `${file}, line ${line}: ${record.length} fields, expected ${columns.length} as in the heading.`,
      );
    }
    yield {
      line,
      fields: Object.fromEntries(
        columns.map((name, place) => [name, csvText(record[place] ?? '')]),
      ),
    };
  }
}

function withoutLast(heading: readonly string[]): string[] {
  return heading.at(-1) === '' ? heading.slice(0, -1) : [...heading];
}

async function* records(file: string): AsyncGenerator<{ record: string[]; line: number }> {
  try {
    const text = await textOf(file);
    const heading = await headingOf(text);
    const parser = parse({
      delimiter: heading.separator,
      bom: true,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      maxRecordSize: LONGEST_ROW_BYTES,
    });
    const source = Readable.from(heading.whole());
    source.on('error', (error) => parser.destroy(error));
    source.pipe(parser);
    for await (const { record, info } of parser) yield { record, line: info.lines };
  } catch (error) {
    throw problemOf(file, error as Error);
  }
}

async function textOf(file: string): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  await handle.close();
  const bytes = createReadStream(file);
  const isGzip = bytesRead === 2 && GZIP_MAGIC.every((byte, place) => buffer[place] === byte);
  return isGzip ? gunzipped(bytes, MOST_BYTES) : bytes;
}

/** The separator that is more frequent in the heading, and the whole text from its beginning. */
async function headingOf(text: AsyncIterable<Buffer>) {
  const chunks = text[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let bytes = 0;
  for (let isWhole = false; !isWhole; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(value);
    bytes += value.length;
    isWhole = value.includes(0x0a) || bytes > LONGEST_HEADING;
  }
  const [line = ''] = Buffer.concat(read).toString('utf8').split('\n');
  const count = (separator: string) => line.split(separator).length;
  return {
    separator: count(';') > count(',') ? ';' : ',',
    async *whole() {
      yield* read;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        yield next.value as Buffer;
      }
    },
  };
}

function problemOf(file: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof CsvError) {
    return new UsageError(
      `${file} is not a table: ${error.message.slice(0, MOST_MESSAGE_CHARACTERS)}.`,
    );
  }
  if (error instanceof TooLargeError) {
    return new UsageError(`${file} cannot be read: ${error.message}. Divide it.`);
  }
  if (error.code?.startsWith('Z_')) {
    return new UsageError(
      `${file} is a damaged or truncated gzip file (${error.message}). Download it again.`,
    );
  }
  return error.code === undefined
    ? error
    : new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
}
