import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { MOST_TRACE_BYTES, meanKbpsOf, type Trace, timesOfTrace } from '../records/trace.ts';
import { UsageError } from '../system/exit-status.ts';
import { names } from './readers.ts';
import type { Reader } from './row.ts';

/** What other rates of a path have to be; a slower link carries no page in an attempt's time. */
const KBPS = { least: 64, most: 10_000_000 } as const;

/** Files of recorded links, with commas between; each is read and checked. */
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
    timesMs = timesOfTrace(bytes.toString('latin1'));
  } catch (error) {
    throw refused((error as Error).message);
  }
  const meanKbps = meanKbpsOf(timesMs);
  if (meanKbps < KBPS.least || meanKbps > KBPS.most) {
    throw refused(
      `it lets ${meanKbps.toPrecision(3)} kbit/s through on average; expected ${KBPS.least} to ${KBPS.most}`,
    );
  }
  return {
    // As part of the names of conditions and files.
    name: path.basename(file).replaceAll(/[^\w.-]|^\.+/g, '-'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    meanKbps,
    durationMs: timesMs.at(-1) ?? 0,
    bytes,
  };
}

function bytesOf(file: string, refused: (why: string) => UsageError): Buffer {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw refused('it is no file');
    if (found.size > MOST_TRACE_BYTES) {
      throw refused(`it has ${found.size} bytes; expected at most ${MOST_TRACE_BYTES}`);
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refused(`it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
