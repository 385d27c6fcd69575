import { experimentOf, verdictMetric } from '../experiments/index.ts';
import type { Metric } from '../ground/experiment.ts';
import { isGenerated } from '../kit/page/markup.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import { valueWithUnit } from '../kit/text/value.ts';
import type { Verdict } from '../kit/text/verdict.ts';
import { isOfSame, type PrimaryAnswer } from './summary/comparison.ts';
import type { SummaryRow } from './summary/rows.ts';
import type { Summary } from './summary/summary.ts';
import { labelIn } from './text/answers.ts';

export interface SiteRow {
  name: string;
  /** Warning behind the name: ` (generated)`; empty for most. */
  mark: string;
  ratio: Estimate | null;
  verdict: Verdict;
  /** Of the stack and its baseline. */
  medians: readonly [arm: string, baseline: string];
}

interface SitesOfAnswer {
  heads: readonly [site: string, arm: string, baseline: string];
  sites: SiteRow[];
  /** All sites together; null: there is only one site. */
  together: SiteRow | null;
}

/** The sites of an answer, and all of them together. */
export function sitesOf(answer: PrimaryAnswer, summary: Summary): SitesOfAnswer {
  const { rows } = summary;
  const metric = verdictMetric(summary);
  const own = summary.comparisons.filter((each) => isOfSame(each, answer));
  const rowOf = (subject: string, arm: string) =>
    rows.find(
      (row) =>
        row.subject === subject &&
        row.arm === arm &&
        isOfSame(answer, { network: row.network.name, variant: row.variant, arm: answer.arm }),
    );
  const sites = own.map(({ subject, ratio, verdict }) => {
    const medians = [answer.arm, answer.baseline].map((arm) =>
      medianText(rowOf(subject, arm), metric),
    ) as [string, string];
    const mark = isGenerated(summary, subject) ? ' (generated)' : '';
    return { name: subject, mark, ratio, verdict, medians };
  });
  const whole = answer.nSites === own.length ? 'all' : `${answer.nSites} of`;
  const { ratio, verdict } = answer;
  return {
    heads: [
      experimentOf(summary).site[0],
      labelIn(summary, answer.arm),
      labelIn(summary, answer.baseline),
    ],
    sites,
    together:
      own.length > 1
        ? { name: `${whole} ${own.length} together`, mark: '', ratio, verdict, medians: ['', ''] }
        : null,
  };
}

/** Shows the counts only if loads are excluded. */
function medianText(row: SummaryRow | undefined, { name, unit }: Metric): string {
  if (!row) return '–';
  const counts = row.n < row.nPlanned ? ` (${row.n}/${row.nPlanned})` : '';
  return `${valueWithUnit(row.metrics[name]?.median, unit)}${counts}`;
}
