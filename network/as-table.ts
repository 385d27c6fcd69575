import { isIPv4, isIPv6 } from 'node:net';
import { type AutonomousSystem, MOST_SYSTEM_NUMBER } from '../ground/records/autonomous-system.ts';
import { LINE_BYTES, textLines } from '../ground/system/bounded-lines.ts';
import { unpack } from '../ground/system/bounded-unpacking.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { readPlainFile } from '../ground/system/plain-file.ts';
import { printable } from '../ground/system/printed.mjs';

interface Limits {
  maxRows: number;
  /** Of text, also that of a compressed table. */
  maxBytes: number;
}

/** The table of iptoasn.com has some 600,000 rows. */
const LIMITS: Limits = { maxRows: 2_000_000, maxBytes: 256_000_000 };
const GZIP = [0x1f, 0x8b];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const MOST_NAME_CHARACTERS = 100;
const MOST_CHARACTERS_SHOWN = 120;

const COLUMNS = ['range_start', 'range_end', 'AS_number', 'country_code', 'AS_description'];
const EXPECTED = `${COLUMNS.length} fields separated by tabs: ${COLUMNS.join(', ')} (ip2asn-combined.tsv of iptoasn.com, also as .gz)`;

export interface AsTable {
  /** System of an address without brackets, also IPv4-mapped; null: AS 0 (not routed), or in no range. */
  find(address: string): AutonomousSystem | null;
}

const READ = new Map<string, Promise<AsTable>>();

/**
 * Reads a table of autonomous systems, each file once.
 * @throws UsageError with the line that is not valid
 */
export function readAsTable(file: string, limits: Limits = LIMITS): Promise<AsTable> {
  const table = READ.get(file) ?? tableIn(file, limits);
  READ.set(file, table);
  return table;
}

interface Range {
  line: number;
  start: bigint;
  end: bigint;
  system: AutonomousSystem | null;
}

async function tableIn(file: string, limits: Limits): Promise<AsTable> {
  const ranges = (await rangesIn(file, limits)).sort((a, b) => (a.start < b.start ? -1 : 1));
  for (const [index, { start, line }] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before && before.end >= start) {
      throw new UsageError(
        `--as-table ${file}, line ${line}: the range overlaps that of line ${before.line}, expected each address in at most one range.`,
      );
    }
  }
  return {
    find(address) {
      const own = placeOf(address);
      if (own === null) return null;
      // The packets to an IPv4-mapped address (RFC 4291) go to the IPv4 address in it.
      const place = own >> 32n === MAPPED_PREFIX ? own & 0xffff_ffffn : own;
      let [low, high] = [0, ranges.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ranges[middle] as Range).start <= place) low = middle + 1;
        else high = middle;
      }
      const range = ranges[low - 1];
      return range && place <= range.end ? range.system : null;
    },
  };
}

async function* linesOf(file: string, { maxBytes }: Limits): AsyncGenerator<string> {
  try {
    const bytes = await readPlainFile(file, { maxBytes });
    const isGzip = GZIP.every((byte, place) => bytes[place] === byte);
    const text = isGzip ? unpack(bytes, 'gzip', maxBytes) : bytes;
    const pieces = (async function* () {
      yield BYTE_ORDER_MARK.equals(text.subarray(0, 3)) ? text.subarray(3) : text;
    })();
    yield* textLines(pieces, { maxBytes: LINE_BYTES.foreign });
  } catch (error) {
    throw new UsageError(
      `--as-table ${file} cannot be read: ${reasonOf(error)}. Name a file whose lines have ${EXPECTED}.`,
    );
  }
}

async function rangesIn(file: string, limits: Limits): Promise<Range[]> {
  const systems = new Map<number, AutonomousSystem>();
  const ranges: Range[] = [];
  for await (const text of linesOf(file, limits)) {
    const line = ranges.length + 1;
    if (line > limits.maxRows) {
      throw new UsageError(
        `--as-table ${file} has more than ${limits.maxRows} lines. Shorten it to at most ${limits.maxRows}.`,
      );
    }
    const range = rangeIn(text, line, systems);
    if (typeof range === 'string') {
      throw new UsageError(`--as-table ${file}, line ${line}: ${range}.`);
    }
    ranges.push(range);
  }
  if (ranges.length > 0) return ranges;
  throw new UsageError(`--as-table ${file} is empty, expected lines of ${EXPECTED}.`);
}

/**
 * The range of a line, or why it is not valid.
 * @param systems one object for each number, with the name of its first line
 */
function rangeIn(
  text: string,
  line: number,
  systems: Map<number, AutonomousSystem>,
): Range | string {
  const fields = text.split('\t');
  const [from = '', to = '', digits = '', , description = ''] = fields;
  if (fields.length !== COLUMNS.length) {
    return `got ${quoted(text)}, expected ${EXPECTED}`;
  }
  const start = placeOf(from);
  const end = placeOf(to);
  if (start === null || end === null) {
    return `got ${quoted(start === null ? from : to)}, expected an IPv4 or IPv6 address`;
  }
  if (start > end || (start < PLACES_OF_IPV4 && end >= PLACES_OF_IPV4)) {
    return `the range is ${from} to ${to}, expected two addresses of one family, the lower one first`;
  }
  const number = /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(number <= MOST_SYSTEM_NUMBER)) {
    return `got the AS number ${quoted(digits)}, expected 0 to ${MOST_SYSTEM_NUMBER}`;
  }
  if (number === 0) return { line, start, end, system: null };
  const known = systems.get(number);
  if (known) return { line, start, end, system: known };
  // A part of the text would keep the whole text in memory.
  const name = Buffer.from(printable(description.slice(0, MOST_NAME_CHARACTERS))).toString();
  const system = { number, name };
  systems.set(number, system);
  return { line, start, end, system };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MOST_CHARACTERS_SHOWN));
}

const PLACES_OF_IPV4 = 2n ** 32n;
/** The first bits of the place of ::ffff:0.0.0.0. */
const MAPPED_PREFIX = 0xffffn + 1n;

/** Place in one order of all addresses, IPv4 before IPv6; null: not an address. */
function placeOf(address: string): bigint | null {
  if (isIPv4(address)) {
    return BigInt(address.split('.').reduce((sum, byte) => 256 * sum + Number(byte), 0));
  }
  if (!isIPv6(address) || address.includes('%')) return null;
  // The URL replaces a final IPv4 address.
  const text = address.includes('.')
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address;
  const [head = [], tail = []] = text
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  const digits = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('');
  return PLACES_OF_IPV4 + BigInt(`0x${digits}`);
}
