import { verdictMetric } from '../../experiments/index.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import { UNITS } from '../../ground/unit.ts';
import type { ConditionChange } from './condition-change.ts';
import { precise } from './csv.ts';
import type { Summary } from './summary.ts';

/**
 * What conditions change as a table, written as summary.csv is: one row for each stack, or stack and baseline, and pair of conditions over all sites,
 * with an empty `site`, and one for each site, which has no verdict.
 */
export function conditionChangesCsv(summary: Summary): string {
  const { name, unit } = verdictMetric(summary);
  const { columnEnding } = UNITS[unit];
  const lines = summary.conditionChanges.flatMap((change) => [
    lineOf(change, change, { site: null, metric: name, columnEnding }),
    ...change.subjects.map((one) =>
      lineOf(change, one, { site: one.subject, metric: name, columnEnding }),
    ),
  ]);
  const [first] = lines;
  const head = first ? [csvLine(Object.keys(first))] : [];
  return `${[...head, ...lines.map((line) => csvLine(Object.values(line)))].join('\n')}\n`;
}

function lineOf(
  change: ConditionChange,
  { nPairs, ratio, difference }: Pick<ConditionChange, 'nPairs' | 'ratio' | 'difference'>,
  { site, metric, columnEnding }: { site: string | null; metric: string; columnEnding: string },
): Record<string, CsvValue> {
  const { differsIn, from, to, shared, arm } = change;
  const whole = site === null ? change : null;
  return {
    differs_in: differsIn,
    from_network: from.network,
    from_variant: from.variant,
    from: from.text,
    to_network: to.network,
    to_variant: to.variant,
    to: to.text,
    shared,
    site,
    stack: arm,
    baseline: change.baseline,
    n_pairs: nPairs,
    ratio: ratio?.estimate ?? null,
    ratio_low: ratio?.low ?? null,
    ratio_high: ratio?.high ?? null,
    [`difference${columnEnding}`]: difference?.estimate ?? null,
    [`difference_low${columnEnding}`]: difference?.low ?? null,
    [`difference_high${columnEnding}`]: difference?.high ?? null,
    p: precise(whole?.p),
    p_holm: precise(whole?.pHolm),
    verdict: whole?.verdict ?? null,
    metric,
  };
}
