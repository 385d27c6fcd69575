import { BOUNDS, within } from './ranges.ts';
import * as s from './schema.ts';

/** The last time of a recorded link: a day. */
const MOST_TIME_MS = 86_400_000;

/** A recorded link of one direction, whose times are in the file of its name in the run's folder of traces. */
export const traceSchema = s.object(
  {
    name: s.fileName('Of the file, in traces/.'),
    sha256: s.sha256('Of its bytes.'),
    meanKbps: s.number(
      'What it lets through on average in kbit/s, Ethernet headers included.',
      within(BOUNDS.kbps),
    ),
    durationMs: s.count('After so long it begins anew, in ms.', {
      minimum: 1,
      maximum: MOST_TIME_MS,
    }),
  },
  "A recorded link in Mahimahi's format: each line is a time in ms at which a packet of full length may leave.",
);

/** What a condition says of a recorded link. */
export type TraceReference = s.Static<typeof traceSchema>;

/** A recorded link, whole. */
export interface Trace extends TraceReference {
  /** The bytes of its file. */
  bytes: Uint8Array;
}

/**
 * What leaves at one of its times at most: a packet of 1,500 bytes, as Mahimahi has it; it counts 4 bytes of its own device's header
 * with that, and this path 14 of Ethernet's.
 */
export const OPPORTUNITY_BYTES = 1514;

/** A file of two to three million lines: a gigabit for 30 s. */
export const MOST_TRACE_BYTES = 16 * 2 ** 20;

/**
 * The times of a recorded link, in ms.
 * @throws Error with a clause that says which line is wrong, what was expected and found
 */
export function parseTraceTimes(text: string): Uint32Array {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) throw new Error('it is empty; expected a time in ms on each line');
  let before = 0;
  const times = Uint32Array.from(lines, (line, index) => {
    const where = `line ${index + 1} is ${JSON.stringify(line.slice(0, 40))}`;
    const isTime = /^\d{1,8}\r?$/.test(line);
    const time = isTime ? Number.parseInt(line, 10) : Number.NaN;
    if (!(time <= MOST_TIME_MS)) {
      throw new Error(`${where}; expected a whole number of ms from 0 to ${MOST_TIME_MS}`);
    }
    if (time < before) {
      throw new Error(`${where}; expected no earlier time than that before, ${before} ms`);
    }
    before = time;
    return time;
  });
  if (before === 0) {
    throw new Error('all its times are 0 ms; expected a last one after which it begins anew');
  }
  return times;
}

/** What a link with these times lets through on average, in kbit/s. */
export function meanKbpsOf(timesMs: Uint32Array): number {
  return (8 * OPPORTUNITY_BYTES * timesMs.length) / (timesMs.at(-1) ?? Number.NaN);
}
