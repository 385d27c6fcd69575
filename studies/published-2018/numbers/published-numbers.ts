import path from 'node:path';
import { numberOf, readCsv } from '../../csv-rows.ts';

export type PublishedProtocol = 'quic' | 'https';

/** Round-trip times that the report added. */
export const PUBLISHED_DELAYS_MS = [0, 30] as const;
export type PublishedDelayMs = (typeof PUBLISHED_DELAYS_MS)[number];

export interface PublishedCell {
  subject: string;
  protocol: PublishedProtocol;
  delayMs: PublishedDelayMs;
}

/** One published load. The report's page load time is the time of the main document's request. */
export interface PublishedTime extends PublishedCell {
  /** From 1, in the order published. */
  run: number;
  documentTimeMs: number;
}

/** An average in the report's tables. */
export interface PublishedAverage extends PublishedCell {
  /** In ms, as printed. */
  printed: string;
  meanMs: number;
}

export const SIDE_LABELS: Record<PublishedProtocol, string> = { quic: 'QUIC', https: 'HTTPS' };

/** The published networks, capitalised. */
export const DELAY_TEXTS: Record<PublishedDelayMs, string> = {
  0: 'No added delay',
  30: '30 ms round-trip time added',
};

/** The published single loads: all without added delay. README.md names their source. */
export function readPublishedTimes(): PublishedTime[] {
  return readCsv(
    path.join(import.meta.dirname, 'published-plt.csv'),
    ['site', 'protocol', 'delay_ms', 'run', 'plt_ms'],
    ({ plt_ms, run, ...cell }) => ({
      ...cellOf(cell),
      run: numberOf(run),
      documentTimeMs: numberOf(plt_ms),
    }),
  );
}

/** The averages in the report's tables, without and with added delay. README.md names their source. */
export function readPublishedAverages(): PublishedAverage[] {
  return readCsv(
    path.join(import.meta.dirname, 'published-averages.csv'),
    ['site', 'protocol', 'delay_ms', 'report_average_printed_ms'],
    ({ report_average_printed_ms: printed, ...cell }) => ({
      ...cellOf(cell),
      printed,
      meanMs: numberOf(printed),
    }),
  );
}

function cellOf(fields: Record<'site' | 'protocol' | 'delay_ms', string>): PublishedCell {
  const { site: subject, protocol } = fields;
  if (protocol !== 'quic' && protocol !== 'https') {
    throw new Error(`${subject} has the protocol ${protocol}, expected quic or https`);
  }
  const delayMs = PUBLISHED_DELAYS_MS.find((each) => String(each) === fields.delay_ms);
  if (delayMs === undefined) {
    throw new Error(`${subject} has the delay ${fields.delay_ms}, expected 0 or 30 ms`);
  }
  return { subject, protocol, delayMs };
}
