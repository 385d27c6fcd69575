import type { Metric } from '../metrics/metric.ts';
import type { Block } from './blocks.ts';

/** The same metric of two loads of one block. */
export type ValuePair = readonly [stack: number, baseline: number];

/** A metric of two stacks, pair by pair, over the blocks that are whole and in which both loads have it. */
export function pairedValues(
  blocks: readonly Block[],
  metric: Metric,
  stack: string,
  baseline: string,
): ValuePair[] {
  return blocks.flatMap(({ loads }) => {
    const [load, baselineLoad] = [loads?.get(stack), loads?.get(baseline)];
    if (!load || !baselineLoad) return [];
    const [value, baselineValue] = [metric.of(load).value, metric.of(baselineLoad).value];
    return value === null || baselineValue === null ? [] : [[value, baselineValue] as const];
  });
}

export function differencesOf(pairs: readonly ValuePair[]): number[] {
  return pairs.map(([value, baselineValue]) => value - baselineValue);
}

/** Whether every value has a logarithm. */
export function haveRatios(pairs: readonly ValuePair[]): boolean {
  return pairs.every(([value, baselineValue]) => value > 0 && baselineValue > 0);
}
