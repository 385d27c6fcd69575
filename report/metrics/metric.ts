import type { PageLoad, TimingsMs } from '../../records/page-load.ts';

/** One number taken from each page load. A new metric is one file here and one row in index.ts. */
export interface Metric {
  /** Its name in summary.json, below `timingsMs`. */
  name: keyof TimingsMs;
  /** What its columns in summary.csv begin with. */
  column: string;
  /** For headings. */
  label: string;
  unit: 'ms';
  /** What exactly is measured, as a sentence. */
  definition: string;
  /** Where the number comes from. */
  source: string;
  /** The value of one load; null where the load has none, never zero instead. */
  of(load: PageLoad): number | null;
}
