import { type Metric, numberOf } from '../../experiments/experiment.ts';
import type { Observation } from '../../records/observation.ts';
import type { Block } from './blocks.ts';

/** The same metric of two loads of one block. */
export type ValuePair = readonly [arm: number, baseline: number];

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
  arm: string,
  baseline: string,
): ValuePair[] {
  return blocks.flatMap(({ loads }) => {
    const [load, baselineLoad] = [loads.get(arm), loads.get(baseline)];
    if (!load || !baselineLoad) return [];
    const [value, baselineValue] = [numberOf(load, metric), numberOf(baselineLoad, metric)];
    return value === null || baselineValue === null ? [] : [[value, baselineValue] as const];
  });
}

/**
 * The time that verdicts are about, pair by pair. A load that failed by its own server or page was slower than all that ended; what
 * the browser, the path or the bench broke, and what was not the load asked for, has no time and drops its pair alone.
 */
export function timedPairs(
  blocks: readonly Block[],
  metric: Metric,
  arm: string,
  baseline: string,
): TimedPair[] {
  return blocks.flatMap((block) => {
    const [load, baselineLoad] = [countedLoad(block, arm), countedLoad(block, baseline)];
    if (!load || !baselineLoad) return [];
    const values = [timeOf(block, load, metric), timeOf(block, baselineLoad, metric)] as const;
    // What is loaded takes time; a record that says 0 is no time to compare with.
    if (!values.every((value) => value > 0)) return [];
    return [{ values, browsers: `${clientOf(load)} ${clientOf(baselineLoad)}` }];
  });
}

function countedLoad({ loads, failed }: Block, arm: string): Observation | undefined {
  return loads.get(arm) ?? failed.get(arm);
}

function timeOf({ failed }: Block, load: Observation, metric: Metric): number {
  return failed.has(load.arm) ? Number.POSITIVE_INFINITY : (numberOf(load, metric) ?? Number.NaN);
}

/** An attempt whose client is not known shares it with no other. */
function clientOf({ invocation, client, id }: Observation): string {
  return client === null ? id : `${invocation} ${client.id}`;
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
