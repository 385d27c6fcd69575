import type { PageLoad } from '../../records/page-load.ts';

/** The names of the metrics in summary.json. */
export type MetricName =
  | 'pageLoad'
  | 'documentTime'
  | 'firstByte'
  | 'connect'
  | 'domContentLoaded'
  | 'firstContentfulPaint'
  | 'largestContentfulPaint'
  | 'lastByte'
  | 'wireBytes'
  | 'requests'
  | 'connections'
  | 'connectionsPerOrigin'
  | 'peakConcurrentRequests';

export type MetricUnit = 'ms' | 'bytes' | 'count';

/** A load's value, or the reason why there is none; zero is a value. */
export type MetricReading =
  | { value: number; reason: null }
  | {
      value: null;
      /** A clause that can follow "no value because", the same for all loads of the same kind. */
      reason: string;
    };

/** One number taken from each page load. A new metric is one file here and one row in index.ts. */
export interface Metric {
  name: MetricName;
  /** What its columns in summary.csv begin with. */
  column: string;
  /** For headings. */
  label: string;
  unit: MetricUnit;
  /** What exactly is measured, as a sentence. */
  definition: string;
  /** Where the number comes from. */
  source: string;
  of(load: PageLoad): MetricReading;
}
