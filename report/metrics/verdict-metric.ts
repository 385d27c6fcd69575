import type { AnalysisPlan } from '../../records/run.ts';
import { documentTime } from './document-time.ts';
import type { Metric } from './metric.ts';
import { pageLoadTime } from './page-load-time.ts';

/** The metric that verdicts are about, with the words that texts need. */
export interface VerdictMetric extends Metric {
  name: AnalysisPlan['metric'];
  /** Within a sentence, of one load: `page load time`. */
  time: string;
  /** The same of several. */
  times: string;
  /** Follows `faster`: empty for page load time, which goes without saying; ` in document time`. */
  inTime: string;
}

const VERDICT_METRICS: Record<AnalysisPlan['metric'], VerdictMetric> = {
  pageLoad: {
    ...pageLoadTime,
    name: 'pageLoad',
    time: 'page load time',
    times: 'page load times',
    inTime: '',
  },
  documentTime: {
    ...documentTime,
    name: 'documentTime',
    time: 'document time',
    times: 'document times',
    inTime: ' in document time',
  },
};

/** The metric that an analysis has its verdicts about; all others are exploratory. */
export function verdictMetric({ metric }: Pick<AnalysisPlan, 'metric'>): VerdictMetric {
  return VERDICT_METRICS[metric];
}
