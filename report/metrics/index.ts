import { documentTime } from './document-time.ts';
import type { Metric } from './metric.ts';
import { pageLoadTime } from './page-load-time.ts';
import { timeToFirstByte } from './time-to-first-byte.ts';

/** Every metric of the summary, in the order of its tables. */
export const METRICS: readonly Metric[] = [pageLoadTime, documentTime, timeToFirstByte];
