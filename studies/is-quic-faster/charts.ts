import { chartFile } from '../../kit/charts/chart-file.ts';
import { type ForestRow, forestChart } from '../../kit/charts/forest-chart.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { type ComparedPair, conditionsOf, metricOf, pairsOf } from './answers.ts';
import { BASE } from './parts.ts';
import type { PartResult } from './result.ts';

export interface Figure {
  /** Relative to the study's folder. */
  file: string;
  svg: string;
  alt: string;
}

/** The answers of some parts about one pair of stacks, a row for each condition; null: no answers. */
export function answersFigure(
  name: string,
  results: readonly PartResult[],
  pair: ComparedPair,
): Figure | null {
  const [first] = results;
  const labels = first?.arms.filter(({ arm }) => arm === pair.arm || arm === pair.baseline);
  const rows = results.flatMap((result) => rowsOf(result, pair));
  if (!first || !labels || rows.length === 0) return null;
  const labelOf = (arm: string) => labels.find((each) => each.arm === arm)?.label ?? arm;
  const metric = metricOf(first);
  const alt = `Forest plot: ratio of ${metric.phrases} of ${pair.title}, with its interval, under ${countWithNoun(rows.length, 'condition')}. The tables have the same numbers.`;
  const chart = forestChart(
    {
      stackLabel: labelOf(pair.arm),
      baselineLabel: labelOf(pair.baseline),
      metric,
      sites: 'conditions',
      rows,
      pooled: null,
      marginPercent: first.marginPercent,
    },
    alt,
  );
  return { file: `figures/${name}-${pair.arm}.svg`, svg: chartFile(chart), alt };
}

function rowsOf(result: PartResult, { arm, baseline }: ComparedPair): ForestRow[] {
  const conditions = conditionsOf(result);
  return conditions.flatMap(({ name, answers }) => {
    const answer = answers.find((each) => each.arm === arm && each.baseline === baseline);
    if (!answer) return [];
    const { ratio, difference, verdict } = answer;
    return [{ name: rowName(result, conditions.length, name), ratio, difference, verdict }];
  });
}

/** A part of one condition has its own name, because the condition's name lacks what the part changes. */
function rowName({ part }: PartResult, conditions: number, condition: string): string {
  if (BASE.includes(part)) return condition;
  return conditions === 1 ? part : `${part}: ${condition}`;
}

export function pairsOfProtocols(result: PartResult): ComparedPair[] {
  return pairsOf(result).filter(({ isOfProtocols }) => isOfProtocols);
}
