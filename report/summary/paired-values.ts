import { type Metric, numberOf, worsening } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { hodgesLehmannBootstrap } from '../../statistics/hodges-lehmann-bootstrap.ts';
import { hodgesLehmannInterval } from '../../statistics/hodges-lehmann-interval.ts';
import type { Resampling } from '../../statistics/resampling.ts';
import type { Block } from './blocks.ts';

export type ValuePair = readonly [arm: number, baseline: number];

/** What verdicts are about, of two loads; infinitely bad where the load failed by its own server or page. */
export interface TestedPair {
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
 * The number that verdicts are about, pair by pair. A load that failed by its own server or page was worse than all that ended:
 * Infinity, or -Infinity where more is better. What the browser, the path or the bench broke, and what was not the load asked for, has
 * no number and drops its pair alone.
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
  // What is loaded takes time; a record that says 0 is nothing to compare with.
  if (!values.every((value) => value > 0 || value === worst(metric))) return null;
  return { values, browsers: `${clientOf(load)} ${clientOf(otherLoad)}` };
}

function countedLoad({ loads, failed }: Block, arm: string): Observation | undefined {
  return loads.get(arm) ?? failed.get(arm);
}

function numberIn({ failed }: Block, load: Observation, metric: Metric): number {
  return failed.has(load.arm) ? worst(metric) : (numberOf(load, metric) ?? Number.NaN);
}

/**
 * The numbers of a stack over these blocks, in their order. A load that failed by its own server or page has the worst there is
 * where its metric counts failures, else none.
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

/**
 * Hodges-Lehmann estimate of paired differences (or log ratios) with its 95 % interval: bootstrapped where a resampling is
 * given, else the signed-rank test turned round, which costs next to nothing; so it is too for 6 differences, which are
 * too few to resample. Null without differences, and where failures (infinite ones) leave no estimate; no interval below 6.
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

/** No number where there is no limit: failures leave none to their side. */
export function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
