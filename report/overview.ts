import type { AskedNetwork } from '../records/network.ts';
import type { RunRecord } from '../records/run.ts';
import { type ConditionRows, rowsBySite } from './condition.ts';
import { likeForLikeOf } from './stacks.ts';
import { median } from './statistics/median.ts';
import type { SummaryRow } from './summary.ts';

/** One network condition over all its sites: descriptions only, no verdicts. */
export interface Overview {
  network: AskedNetwork;
  /** Sites with at least one ok load on every stack: only these are in the numbers below. */
  nSites: number;
  stacks: StackOverview[];
  /** The two stacks that differ in nothing but the protocol; null where the run lacks one of them. */
  likeForLike: PairOverview | null;
}

export interface StackOverview {
  stack: string;
  label: string;
  /** The median over the sites of each site's median page load time; null without sites. */
  medianOfSiteMediansMs: number | null;
}

/** On how many sites the median page load time of one stack was below the other's. */
export interface PairOverview {
  first: string;
  second: string;
  nFirstLower: number;
  nSecondLower: number;
  nEqual: number;
}

/** Sets the stacks of one network condition side by side. */
export function overviewOf(
  run: Pick<RunRecord, 'stacks'>,
  { condition, rows }: ConditionRows,
): Overview {
  const stacks = run.stacks.filter(({ stack }) => rows.some((row) => row.stack === stack));
  const medians = [...rowsBySite(rows).values()]
    .map(mediansByStack)
    .filter((site) => stacks.every(({ stack }) => site.has(stack)));
  const pair = likeForLikeOf(stacks);
  return {
    network: { ...condition },
    nSites: medians.length,
    stacks: stacks.map(({ stack, label }) => ({
      stack,
      label,
      medianOfSiteMediansMs: median(medians.map((site) => site.get(stack) as number)),
    })),
    likeForLike: pair && pairOf(pair[0].stack, pair[1].stack, medians),
  };
}

function mediansByStack(rows: readonly SummaryRow[]): Map<string, number> {
  const medians = new Map<string, number>();
  for (const row of rows) {
    const value = row.timingsMs.pageLoad?.median ?? null;
    if (value !== null) medians.set(row.stack, value);
  }
  return medians;
}

function pairOf(
  first: string,
  second: string,
  medians: readonly Map<string, number>[],
): PairOverview {
  const differences = medians.map((site) => (site.get(first) ?? 0) - (site.get(second) ?? 0));
  return {
    first,
    second,
    nFirstLower: differences.filter((difference) => difference < 0).length,
    nSecondLower: differences.filter((difference) => difference > 0).length,
    nEqual: differences.filter((difference) => difference === 0).length,
  };
}
