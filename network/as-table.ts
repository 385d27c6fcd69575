import { isIPv4, isIPv6 } from 'node:net';
import { type AutonomousSystem, MOST_SYSTEM_NUMBER } from '../ground/records/autonomous-system.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { readPlainText } from '../ground/system/plain-file.ts';

/** The table of iptoasn.com has some 600,000 rows. */
const MOST_ROWS = 2_000_000;
const MOST_NAME_CHARACTERS = 100;
const MOST_CHARACTERS_SHOWN = 120;

const COLUMNS = ['range_start', 'range_end', 'AS_number', 'country_code', 'AS_description'];
const EXPECTED = `${COLUMNS.length} fields separated by tabs: ${COLUMNS.join(', ')} (ip2asn-combined.tsv of iptoasn.com)`;

export interface AsTable {
  /** System of an address without brackets; null: AS 0 (not routed), or in no range. */
  find(address: string): AutonomousSystem | null;
}

const READ = new Map<string, Promise<AsTable>>();

/**
 * Reads a table of autonomous systems, each file once.
 * @throws UsageError with the line that is not valid
 */
export function readAsTable(file: string): Promise<AsTable> {
  const table = READ.get(file) ?? tableIn(file);
  READ.set(file, table);
  return table;
}

interface Range {
  line: number;
  start: bigint;
  end: bigint;
  system: AutonomousSystem | null;
}

async function tableIn(file: string): Promise<AsTable> {
  const ranges = rangesIn(file, await textOf(file)).sort((a, b) => (a.start < b.start ? -1 : 1));
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
      const place = placeOf(address);
      if (place === null) return null;
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

async function textOf(file: string): Promise<string> {
  try {
    return await readPlainText(file);
  } catch (error) {
    throw new UsageError(
      `--as-table ${file} cannot be read: ${reasonOf(error)}. Name a file whose lines have ${EXPECTED}.`,
    );
  }
}

function rangesIn(file: string, text: string): Range[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) {
    throw new UsageError(`--as-table ${file} is empty, expected lines of ${EXPECTED}.`);
  }
  if (lines.length > MOST_ROWS) {
    throw new UsageError(
      `--as-table ${file} has ${lines.length} lines, expected at most ${MOST_ROWS}. Shorten it.`,
    );
  }
  const systems = new Map<number, AutonomousSystem>();
  return lines.map((text, index) => {
    const range = rangeIn(text, index + 1, systems);
    if (typeof range !== 'string') return range;
    throw new UsageError(`--as-table ${file}, line ${index + 1}: ${range}.`);
  });
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
    return `got ${quoted(text)}, expected ${EXPECTED}. Unpack a compressed table first`;
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
  const name = Buffer.from(description.slice(0, MOST_NAME_CHARACTERS)).toString();
  const system = { number, name };
  systems.set(number, system);
  return { line, start, end, system };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MOST_CHARACTERS_SHOWN));
}

const PLACES_OF_IPV4 = 2n ** 32n;

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
