import path from 'node:path';
import { numberOf, readCsv } from '../../csv-rows.ts';

/** As the published report calls its two sides. */
export type PublishedProtocol = 'quic' | 'https';

/** The round-trip times that the report added. */
export const PUBLISHED_DELAYS_MS = [0, 30] as const;
export type PublishedDelayMs = (typeof PUBLISHED_DELAYS_MS)[number];

export interface PublishedCell {
  subject: string;
  protocol: PublishedProtocol;
  delayMs: PublishedDelayMs;
}

/** One published load. The report says page load time; it was the time of the main document's request. */
export interface PublishedTime extends PublishedCell {
  /** 1 and on, in the order published. */
  run: number;
  documentTimeMs: number;
}

/** One average as the report's tables print it. */
export interface PublishedAverage extends PublishedCell {
  /** In ms, digit by digit. */
  printed: string;
  meanMs: number;
}

export const SIDE_LABELS: Record<PublishedProtocol, string> = { quic: 'QUIC', https: 'HTTPS' };

/** The published networks, at the beginning of a sentence. */
export const DELAY_TEXTS: Record<PublishedDelayMs, string> = {
  0: 'No added delay',
  30: '30 ms round-trip time added',
};

/** The single loads that were published: all of them without added delay. README.md names their source. */
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

/** The averages of the report's tables, without and with added delay. README.md names their source. */
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
