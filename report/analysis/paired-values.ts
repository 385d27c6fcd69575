import type { PageLoad } from '../../records/page-load.ts';
import type { Metric } from '../metrics/metric.ts';
import type { VerdictMetric } from '../metrics/verdict-metric.ts';
import type { Block } from './blocks.ts';

/** The same metric of two loads of one block. */
export type ValuePair = readonly [stack: number, baseline: number];

/** A time of two loads of one block; infinite where the load failed by its own server or page. */
export interface TimedPair {
  values: ValuePair;
  /** The same for pairs of loads that were made in the same two browsers, and only then. */
  browsers: string;
}

/** A metric of two stacks, pair by pair, over the blocks in which both loads are ok and have it. */
export function pairedValues(
  blocks: readonly Block[],
  metric: Metric,
  stack: string,
  baseline: string,
): ValuePair[] {
  return blocks.flatMap(({ loads }) => {
    const [load, baselineLoad] = [loads.get(stack), loads.get(baseline)];
    if (!load || !baselineLoad) return [];
    const [value, baselineValue] = [metric.of(load).value, metric.of(baselineLoad).value];
    return value === null || baselineValue === null ? [] : [[value, baselineValue] as const];
  });
}

/**
 * The time that verdicts are about, pair by pair. A load that failed by its own server or page was slower than all that ended; what
 * the browser, the path or the bench broke, and what was not the load asked for, has no time and drops its pair alone.
 */
export function timedPairs(
  blocks: readonly Block[],
  metric: VerdictMetric,
  stack: string,
  baseline: string,
): TimedPair[] {
  return blocks.flatMap((block) => {
    const [load, baselineLoad] = [countedLoad(block, stack), countedLoad(block, baseline)];
    if (!load || !baselineLoad) return [];
    const values = [timeOf(block, load, metric), timeOf(block, baselineLoad, metric)] as const;
    // What is loaded takes time; a record that says 0 is no time to compare with.
    if (!values.every((value) => value > 0)) return [];
    return [{ values, browsers: `${browserOf(load)} ${browserOf(baselineLoad)}` }];
  });
}

function countedLoad({ loads, failed }: Block, stack: string): PageLoad | undefined {
  return loads.get(stack) ?? failed.get(stack);
}

function timeOf({ failed }: Block, load: PageLoad, metric: VerdictMetric): number {
  return failed.has(load.stack) ? Number.POSITIVE_INFINITY : (metric.of(load).value ?? Number.NaN);
}

/** A load whose browser is not known shares it with no other. */
function browserOf({ sitting, browser, id }: PageLoad): string {
  return browser === null ? id : `${sitting} ${browser.id}`;
}

/** Two failures are a tie. */
export function differencesOf(pairs: readonly ValuePair[]): number[] {
  return pairs.map(([value, baselineValue]) =>
    value === baselineValue ? 0 : value - baselineValue,
  );
}

/** Whether every value has a logarithm. */
export function haveRatios(pairs: readonly ValuePair[]): boolean {
  return pairs.every(([value, baselineValue]) => value > 0 && baselineValue > 0);
}
