import { chartFile } from '../../kit/charts/chart-file.ts';
import { forestChart } from '../../kit/charts/forest-chart.ts';
import { metricOf } from './answers.ts';
import type { PartResult } from './result.ts';
import { baseRows, serverName } from './tables.ts';

interface Figure {
  /** Relative to the study's folder. */
  file: string;
  svg: string;
}

/** The answers of the base: a row for each network and server; empty: not measured. */
export function answersFigures(results: readonly PartResult[]): Figure[] {
  const base = baseRows(results);
  const [first] = base;
  if (!first) return [];
  const rows = base.flatMap(({ result, condition: { name, answers } }) =>
    answers.map(({ arm, ratio, difference, verdict }) => ({
      name: `${name}: ${serverName(result, arm)}`,
      ratio,
      difference,
      verdict,
    })),
  );
  const metric = metricOf(first.result);
  const chart = forestChart(
    {
      stackLabel: 'HTTP/3',
      baselineLabel: 'HTTP/2',
      metric,
      sites: 'conditions',
      rows,
      pooled: null,
      marginPercent: first.result.marginPercent,
    },
    `Forest plot: ratio of ${metric.phrases} by HTTP/3 against HTTP/2, with its interval, of each server over each network.`,
  );
  return [{ file: 'figures/base.svg', svg: chartFile(chart) }];
}
