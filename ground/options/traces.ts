import { createHash } from 'node:crypto';
import path from 'node:path';
import { BOUNDS } from '../records/ranges.ts';
import { MOST_TRACE_BYTES, meanKbpsOf, parseTraceTimes, type Trace } from '../records/trace.ts';
import { decodeText } from '../system/decode-text.ts';
import { UsageError } from '../system/exit-status.ts';
import { reasonOf } from '../system/file-error.ts';
import { readPlainFileSync } from '../system/plain-file.ts';
import { names } from './readers.ts';
import type { Reader } from './row.ts';

/** Files of recorded links, separated by commas; reads and checks each. */
export const traces: Reader<Trace[]> = (option, given) => {
  const found = names(option, given).map((file) => readTrace(option, file));
  for (const [index, { name }] of found.entries()) {
    const before = found.findIndex((each) => each.name === name);
    if (before === index) continue;
    throw new UsageError(
      `--${option} ${given}: two files are named ${name}. Conditions are named after their files: rename or omit one.`,
    );
  }
  return found;
};

function readTrace(option: string, file: string): Trace {
  const refused = (why: string) => new UsageError(`--${option} ${file}: ${why}.`);
  const bytes = bytesOf(file, refused);
  let timesMs: Uint32Array;
  try {
    timesMs = parseTraceTimes(bytes.toString('latin1'));
  } catch (error) {
    throw refused((error as Error).message);
  }
  const meanKbps = meanKbpsOf(timesMs);
  const [least, most] = BOUNDS.kbps;
  if (meanKbps < least || meanKbps > most) {
    throw refused(
      `it lets ${meanKbps.toPrecision(3)} kbit/s through on average; expected ${least} to ${most}`,
    );
  }
  return {
    // Part of names of conditions and files.
    name: path.basename(file).replaceAll(/[^\w.-]|^\.+/g, '-'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    meanKbps,
    durationMs: timesMs.at(-1) ?? 0,
    bytes,
  };
}

/** UTF-8 and UTF-16, as written by editors and shells of Windows. */
const BYTE_ORDER_MARKS = ['efbbbf', 'fffe', 'feff'].map((hex) => Buffer.from(hex, 'hex'));

function bytesOf(file: string, refused: (why: string) => UsageError): Buffer {
  try {
    const bytes = readPlainFileSync(file, { maxBytes: MOST_TRACE_BYTES });
    const hasMark = BYTE_ORDER_MARKS.some((mark) => bytes.subarray(0, mark.length).equals(mark));
    // The link does not read byte order marks.
    return hasMark ? Buffer.from(decodeText(bytes), 'latin1') : bytes;
  } catch (error) {
    throw refused(`it cannot be read: ${reasonOf(error)}`);
  }
}
