import { type Metric, numberOf, worsening } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { hodgesLehmannBootstrap } from '../../statistics/hodges-lehmann-bootstrap.ts';
import { hodgesLehmannInterval } from '../../statistics/hodges-lehmann-interval.ts';
import type { Resampling } from '../../statistics/resampling.ts';
import type { Block } from './blocks.ts';

export type ValuePair = readonly [arm: number, baseline: number];

/** The metric of verdicts of two loads; infinitely bad for a load that failed by its own server or page. */
export interface TestedPair {
  values: ValuePair;
  /** Equal for pairs of loads from the same two browsers, and only for these. */
  browsers: string;
  sitting: string;
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
 * The metric of verdicts, pair by pair. A load that failed by its own server or page is worse than all that ended: Infinity,
 * or -Infinity if more is better. Loads that the browser, the path or the bench broke, and wrong loads, have no number and
 * drop their pair.
 */
export function testedPairs(
  blocks: readonly Block[],
  metric: Metric,
  arm: string,
  baseline: string,
): TestedPair[] {
  return blocks.flatMap(
    (block) => testedPair({ block, arm }, { block, arm: baseline }, metric) ?? [],
  );
}

interface LoadOfBlock {
  block: Block;
  arm: string;
}

/** The same of any two loads; null where one of them has no number. */
export function testedPair(
  one: LoadOfBlock,
  other: LoadOfBlock,
  metric: Metric,
): TestedPair | null {
  const [load, otherLoad] = [countedLoad(one.block, one.arm), countedLoad(other.block, other.arm)];
  if (!load || !otherLoad) return null;
  const values = [
    numberIn(one.block, load, metric),
    numberIn(other.block, otherLoad, metric),
  ] as const;
  // Every load takes time; a record of 0 cannot be compared.
  if (!values.every((value) => value > 0 || value === worst(metric))) return null;
  const browsers = `${clientOf(load)} ${clientOf(otherLoad)}`;
  return { values, browsers, sitting: one.block.sitting };
}

function countedLoad({ loads, failed }: Block, arm: string): Observation | undefined {
  return loads.get(arm) ?? failed.get(arm);
}

function numberIn({ failed }: Block, load: Observation, metric: Metric): number {
  return failed.has(load.arm) ? worst(metric) : (numberOf(load, metric) ?? Number.NaN);
}

/**
 * The numbers of a stack over these blocks, in their order. A load that failed by its own server or page has the worst
 * number if its metric counts failures; otherwise it is skipped.
 */
export function valuesOf(blocks: readonly Block[], metric: Metric, arm: string): number[] {
  return blocks.flatMap(({ loads, failed }) => {
    const load = loads.get(arm);
    if (load) return numberOf(load, metric) ?? [];
    return failed.has(arm) && metric.failed === 'worst' ? worst(metric) : [];
  });
}

/** What a failure counts as. */
function worst(metric: Metric): number {
  return worsening(Number.POSITIVE_INFINITY, metric);
}

/** An attempt whose client is not known shares it with no other attempt. */
function clientOf({ invocation, client, id }: Observation): string {
  return client === null ? id : `${invocation} ${client.id}`;
}

/** Two failures are a tie. */
export function differencesOf(pairs: readonly ValuePair[]): number[] {
  return pairs.map(([value, baselineValue]) =>
    value === baselineValue ? 0 : value - baselineValue,
  );
}

/**
 * Hodges-Lehmann estimate of paired differences (or log ratios) with its 95 % interval: bootstrapped with `resampling`,
 * otherwise, and for 6 differences, which are too few to resample, from the inverted signed-rank test. Null without
 * differences, and if failures (infinite ones) leave no estimate; no interval below 6.
 */
export function pairedEstimate(
  differences: readonly number[],
  resampling: Resampling | null = null,
): Estimate | null {
  const estimate = hodgesLehmann(differences);
  if (estimate === null || !Number.isFinite(estimate)) return null;
  const isResampled = resampling !== null && differences.every(Number.isFinite);
  const interval =
    (isResampled ? hodgesLehmannBootstrap(differences, resampling) : null) ??
    hodgesLehmannInterval(differences);
  return { estimate, low: finite(interval?.low), high: finite(interval?.high) };
}

/** null: failures leave no limit on that side. */
export function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
