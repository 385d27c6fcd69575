import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ExitError, UsageError } from '../../../../../ground/system/exit-status.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { columnsOf, rowsOf } from '../../../read/table-file.ts';

function fileOf(context: TestContext, content: string | Uint8Array, name = 'table.csv'): string {
  const file = path.join(temporaryFolder(context), name);
  writeFileSync(file, content);
  return file;
}

const TEXT = 'Url;Took\nwww.example.org;1.5\nwww.example.com;2\n';
const ROWS = [
  { line: 2, fields: { Url: 'www.example.org', Took: '1.5' } },
  { line: 3, fields: { Url: 'www.example.com', Took: '2' } },
];

for (const [what, content] of [
  ['semicolons', TEXT],
  ['commas', TEXT.replaceAll(';', ',')],
  ['CRLF', TEXT.replaceAll('\n', '\r\n')],
  ['a byte-order mark', `\ufeff${TEXT}`],
  ['a separator at the end of every line', TEXT.replaceAll('\n', ';\n')],
  ['no line feed at the end', TEXT.trimEnd()],
  ['quotes', TEXT.replace('www.example.com', '"www.example.com"')],
  ['gzip of any name', gzipSync(TEXT)],
] as const) {
  test(`reads a table with ${what} like any other`, async (context) => {
    const file = fileOf(context, content);
    assert.deepEqual(await columnsOf(file), ['Url', 'Took']);
    assert.deepEqual(await Array.fromAsync(rowsOf(file)), ROWS);
  });
}

test('keeps commas, quotes and line feeds of a quoted field', async (context) => {
  const file = fileOf(context, 'a,b\n"1, ""2""\n3",4\n');
  const [row] = await Array.fromAsync(rowsOf(file));
  assert.deepEqual(row?.fields, { a: '1, "2"\n3', b: '4' });
});

for (const [what, content, expected] of [
  ['is empty', '', /is empty: expected a heading and rows/],
  ['has a row with too few fields', 'a;b\n1;2\n3\n', /line 3: 1 fields, expected 2/],
  ['has a row with too many fields', 'a;b\n1;2;3\n', /line 2: 3 fields, expected 2/],
  ['has a quote that is never closed', `a,b\n"1,2\n${'3,4\n'.repeat(50_000)}`, /line 25002/],
  ['is a truncated gzip', gzipSync(TEXT.repeat(500)).subarray(0, 60), /gzip/],
  ['is a damaged gzip', damaged(gzipSync(TEXT.repeat(500))), /gzip/],
] as const) {
  test(`rejects a table that ${what}, with the reason`, async (context) => {
    const file = fileOf(context, content);
    await assert.rejects(
      async () => {
        await columnsOf(file);
        await Array.fromAsync(rowsOf(file));
      },
      (error: Error) => {
        assert.ok(error instanceof UsageError, error.stack);
        assert.match(error.message, expected);
        assert.ok(error.message.includes(file));
        return true;
      },
    );
  });
}

function damaged(bytes: Buffer): Buffer {
  bytes.fill(0xff, 30, 50);
  return bytes;
}

test('rejects a missing table, or a folder, with its name', async (context) => {
  const folder = temporaryFolder(context);
  for (const place of [path.join(folder, 'none.csv'), folder]) {
    await assert.rejects(columnsOf(place), { name: 'UsageError', message: /cannot be read/ });
  }
});

test('rejects a table of connections with an endless heading', async (context) => {
  const file = fileOf(context, gzipSync(Buffer.alloc(20_000_000, ' ')), 'table.csv.gz');
  await assert.rejects(Array.fromAsync(rowsOf(file)), ExitError);
  await columnsOf(file).catch((error) => assert.ok(error instanceof ExitError));
});
