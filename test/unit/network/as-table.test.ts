import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readAsTable } from '../../../network/as-table.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ROWS = [
  ['1.0.0.0', '1.0.0.255', '13335', 'US', 'CLOUDFLARENET'],
  ['1.0.1.0', '1.0.3.255', '0', 'None', 'Not routed'],
  ['8.8.8.8', '8.8.8.8', '15169', 'US', 'GOOGLE'],
  ['224.0.0.0', '255.255.255.255', '4294967295', 'ZZ', ''],
  ['::', '::ffff:1.2.3.4', '0', 'None', 'Not routed'],
  ['2001:4860::', '2001:4860:ffff:ffff:ffff:ffff:ffff:ffff', '15169', 'US', 'Another name'],
  ['2606:4700::', '2606:4700:0:1::', '13335', 'US', 'CLOUDFLARENET'],
];

function textOf(rows: readonly (readonly string[])[]): string {
  return rows.map((fields) => `${fields.join('\t')}\n`).join('');
}

function tableOf(context: TestContext, text: string | Buffer) {
  const file = path.join(temporaryFolder(context), 'ip2asn.tsv');
  writeFileSync(file, text);
  return readAsTable(file);
}

const CLOUDFLARE = { number: 13335, name: 'CLOUDFLARENET' };
const GOOGLE = { number: 15169, name: 'GOOGLE' };

/** The first and last address of ranges, and their neighbours. */
const FOUND = {
  '0.255.255.255': null,
  '1.0.0.0': CLOUDFLARE,
  '1.0.0.255': CLOUDFLARE,
  '1.0.1.0': null,
  '1.0.4.0': null,
  '8.8.8.7': null,
  '8.8.8.8': GOOGLE,
  '8.8.8.9': null,
  '255.255.255.255': { number: 4294967295, name: '' },
  '::1': null,
  '::ffff:8.8.8.8': GOOGLE,
  '::ffff:808:808': GOOGLE,
  '::fffe:808:808': null,
  '2001:4860::': GOOGLE,
  '2001:4860:4860::8888': GOOGLE,
  '2001:4860:FFFF:ffff:ffff:ffff:ffff:ffff': GOOGLE,
  '2001:4861::': null,
  '2606:46ff:ffff:ffff:ffff:ffff:ffff:ffff': null,
  '2606:4700:0:0:ffff::': CLOUDFLARE,
  '2606:4700:0:1::': CLOUDFLARE,
  '2606:4700:0:1::1': null,
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': null,
  'www.example.org': null,
};

test('finds the system of an address of either family, with one name for each number', async (t) => {
  const table = await tableOf(t, textOf(ROWS));
  for (const [address, system] of Object.entries(FOUND)) {
    assert.deepEqual(table.find(address), system, address);
  }
});

test('reads lines in any order, of either family alone, and with the line ends of Windows', async (t) => {
  const reversed = await tableOf(t, textOf(ROWS.toReversed()).replaceAll('\n', '\r\n'));
  assert.deepEqual(reversed.find('1.0.0.7'), CLOUDFLARE);
  assert.deepEqual(reversed.find('2001:4860::1')?.number, 15169);
  const four = await tableOf(t, textOf(ROWS.slice(0, 4)));
  assert.deepEqual([four.find('8.8.8.8'), four.find('2001:4860::1')], [GOOGLE, null]);
  const six = await tableOf(t, textOf(ROWS.slice(4)));
  assert.deepEqual([six.find('8.8.8.8'), six.find('2001:4860::1')?.number], [null, 15169]);
});

test('reads a compressed table, and one with a byte-order mark', async (t) => {
  const text = textOf(ROWS);
  for (const bytes of [gzipSync(text), `\uFEFF${text}`, gzipSync(`\uFEFF${text}`)]) {
    assert.deepEqual((await tableOf(t, bytes)).find('1.0.0.7'), CLOUDFLARE);
  }
});

test('keeps odd letters of a name, without control characters', async (t) => {
  const row = ['8.8.8.8', '8.8.8.8', '1', 'ZZ', '<b>"Ä & я", \u001b[31mA\u0000\u202e'];
  const { name = '' } = (await tableOf(t, textOf([row]))).find('8.8.8.8') ?? {};
  assert.match(name, /^<b>"Ä & я", .*A/);
  assert.doesNotMatch(name, /[\p{Cc}\p{Cf}]/u);
});

test('agrees with a search of all lines in a large table', async (t) => {
  const textOfAddress = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  // Ranges of 1 to 7 addresses, with gaps of 0 to 4.
  const ranges = Array.from({ length: 50_000 }, (_, index) => {
    const start = 12 * index + (index % 5);
    return { start, end: start + (index % 7), number: 1 + (index % 999) };
  });
  const table = await tableOf(
    t,
    textOf(
      ranges.map(({ start, end, number }) => [
        ...[textOfAddress(start), textOfAddress(end), `${number}`, 'ZZ', `N${number}`],
      ]),
    ),
  );
  for (let address = 0; address < 600_000; address += 101) {
    const index = Math.floor(address / 12);
    const range = ranges[index];
    const isIn = range && address >= range.start && address <= range.end;
    assert.equal(
      table.find(textOfAddress(address))?.number,
      isIn ? range.number : undefined,
      textOfAddress(address),
    );
  }
});

const GOOD = ROWS[2] as string[];

/** Lines that are not valid, and what the message says after the name of the file. */
const WRONG: Record<string, [text: string | Buffer, message: RegExp]> = {
  'an empty file': ['', / is empty, expected lines of 5 fields separated by tabs: range_start,/],
  'a table with commas': [
    '1.0.0.0,1.0.0.255,13335,US,X\n',
    /, line 1: got "1\.0\.0\.0,.*", expected 5 fields separated by tabs/,
  ],
  'a missing field': [textOf([GOOD, GOOD.slice(0, 4)]), /, line 2: got ".*", expected 5 fields/],
  'an empty line': [`${textOf([GOOD])}\n${textOf([GOOD])}`, /, line 2: got "", expected 5 fields/],
  'a heading': [
    textOf([['start', 'end', 'asn', 'country', 'name'], GOOD]),
    /, line 1: got "start", expected an IPv4 or IPv6 address\.$/,
  ],
  'a prefix': [
    textOf([['8.8.8.0/24', ...GOOD.slice(1)]]),
    /line 1: got "8\.8\.8\.0\/24", expected/,
  ],
  'a reversed range': [
    textOf([GOOD, ['9.0.0.9', '9.0.0.8', '1', 'ZZ', 'X']]),
    /, line 2: the range is 9\.0\.0\.9 to 9\.0\.0\.8, expected two addresses of one family, the lower/,
  ],
  'a range of both families': [
    textOf([['9.0.0.9', '2001:db8::', '1', 'ZZ', 'X']]),
    /, line 1: the range is 9\.0\.0\.9 to 2001:db8::, expected two addresses of one family/,
  ],
  'overlapping ranges': [
    textOf([ROWS[6] ?? [], GOOD, ['2606:4700:0:1::', '2606:4700:0:2::', '1', 'ZZ', 'X']]),
    /, line 3: the range overlaps that of line 1, expected each address in at most one range\.$/,
  ],
  'a range twice': [textOf([GOOD, GOOD]), /, line 2: the range overlaps that of line 1/],
  'a number with a prefix': [
    textOf([['8.8.8.8', '8.8.8.8', 'AS15169', 'US', 'GOOGLE']]),
    /, line 1: got the AS number "AS15169", expected 0 to 4294967295\.$/,
  ],
  'a number that is too large': [
    textOf([['8.8.8.8', '8.8.8.8', '4294967296', 'US', 'GOOGLE']]),
    /got the AS number "4294967296"/,
  ],
  'a damaged gzip': [gzipSync(textOf(ROWS)).subarray(0, 40), / cannot be read: unexpected end/],
  'a long line': ['a'.repeat(1_000_001), /cannot be read: line 1 has more than 1 MB/],
};

for (const [name, [text, message]] of Object.entries(WRONG)) {
  test(`rejects ${name} in a sentence with the line`, async (t) => {
    await assert.rejects(tableOf(t, text), (error: Error) => {
      assert.equal(error.name, 'UsageError');
      assert.match(error.message, /^--as-table \S*ip2asn\.tsv/);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('rejects a missing file, a folder, a large file and too many lines', async (t) => {
  const folder = temporaryFolder(t);
  const named = (name: string) => path.join(folder, name);
  await assert.rejects(
    readAsTable(named('gone')),
    /gone cannot be read: no such file or directory/,
  );
  await assert.rejects(readAsTable(folder), /cannot be read: it is no plain file/);
  writeFileSync(named('large'), '');
  truncateSync(named('large'), 300_000_000);
  await assert.rejects(readAsTable(named('large')), /it has 300 MB, and at most 256 MB are read/);
  const rows = textOf(ROWS);
  writeFileSync(named('long'), rows);
  const limits = { maxRows: ROWS.length - 1, maxBytes: rows.length };
  await assert.rejects(readAsTable(named('long'), limits), /has more than 6 lines/);
  writeFileSync(named('bomb'), gzipSync(`${rows}\n`));
  await assert.rejects(readAsTable(named('bomb'), limits), /unpacks to has more than \d+ bytes/);
});
