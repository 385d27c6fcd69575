import { BOUNDS, within } from './ranges.ts';
import * as s from './schema.ts';

/** Maximum duration of a recorded link: one day. */
const MOST_TIME_MS = 86_400_000;

/** A recorded link of one direction; its times are in a file of its name in the run's `traces`. */
export const traceSchema = s.object(
  {
    name: s.fileName('Of the file, in traces/.'),
    sha256: s.sha256('Of its bytes.'),
    meanKbps: s.number('Mean rate in kbit/s, including Ethernet headers.', within(BOUNDS.kbps)),
    durationMs: s.count('Duration after which it repeats, in ms.', {
      minimum: 1,
      maximum: MOST_TIME_MS,
    }),
  },
  "A recorded link in Mahimahi's format: each line is a time in ms at which a packet of full length may leave.",
);

export type TraceReference = s.Static<typeof traceSchema>;

/** A recorded link with its file. */
export interface Trace extends TraceReference {
  bytes: Uint8Array;
}

/** Maximum bytes that leave at each time: a packet of Mahimahi (1,500 bytes, 4 of them its device's header) and 14 of Ethernet. */
export const OPPORTUNITY_BYTES = 1514;

/** Size of two to three million lines: 1 Gbit/s for 30 s. */
export const MOST_TRACE_BYTES = 16 * 2 ** 20;

/**
 * Parses the times of a recorded link, in ms.
 * @throws Error with a clause that names the line, the expected and the actual value
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

/** Mean rate of a link in kbit/s. */
export function meanKbpsOf(timesMs: Uint32Array): number {
  return (8 * OPPORTUNITY_BYTES * timesMs.length) / (timesMs.at(-1) ?? Number.NaN);
}
