import { bytesOnTheWire } from './bytes-on-the-wire.ts';
import { connectionSetUp } from './connection-set-up.ts';
import { connections } from './connections.ts';
import { connectionsPerOrigin } from './connections-per-origin.ts';
import { documentTime } from './document-time.ts';
import { domContentLoaded } from './dom-content-loaded.ts';
import { firstContentfulPaint } from './first-contentful-paint.ts';
import { largestContentfulPaint } from './largest-contentful-paint.ts';
import { lastByte } from './last-byte.ts';
import type { Metric } from './metric.ts';
import { pageLoadTime } from './page-load-time.ts';
import { peakConcurrentRequests } from './peak-concurrent-requests.ts';
import { requests } from './requests.ts';
import { timeToFirstByte } from './time-to-first-byte.ts';

/** Every metric of the summary, in the order of its tables. Verdicts are about the first, unless the plan says otherwise. */
export const METRICS: readonly Metric[] = [
  pageLoadTime,
  documentTime,
  timeToFirstByte,
  connectionSetUp,
  domContentLoaded,
  firstContentfulPaint,
  largestContentfulPaint,
  lastByte,
  bytesOnTheWire,
  requests,
  connections,
  connectionsPerOrigin,
  peakConcurrentRequests,
];
