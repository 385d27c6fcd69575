import { type Metric, worsening } from '../../ground/experiment.ts';
import { isOwnNetwork, type NetworkCondition } from '../../ground/records/network.ts';
import { ratioOf } from '../../kit/text/estimate.ts';
import type { Verdict } from '../../kit/text/verdict.ts';
import {
  FEWEST_SITES,
  type FixedSites,
  fixedSites,
  pooledInflation,
  sittingInflation,
} from '../../statistics/fixed-sites.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import type { PrimaryAnswer } from './comparison.ts';
import type { Contrast } from './contrast.ts';
import { type Evidence, estimateAt } from './family.ts';
import { differencesOf, type TestedPair, type ValuePair } from './paired-values.ts';

export interface PooledEvidence<Site> extends Evidence {
  /** Sites with pairs. */
  sites: Site[];
  /** Of the first and of the second of each pair. */
  nFailed: PrimaryAnswer['nFailed'];
  difference: FixedSites | null;
  /** How many times the standard error of the ratio is by how sittings differ; null: unknown. */
  sittingFactor: number | null;
  /** Logarithms of pairs without failures. */
  finiteBySite: number[][];
}

interface PairsOfSite<Site> {
  site: Site;
  pairs: readonly TestedPair[];
}

/**
 * Pools sites.
 * @param logsOf returns logarithms of ratios, infinite where one of a pair failed
 * @param alongside the pairs of further comparisons over the same sittings, site by site
 */
export function pool<Site>(
  found: readonly PairsOfSite<Site>[],
  { network, metric }: { network: NetworkCondition; metric: Pick<Metric, 'better'> },
  logsOf: (pairs: readonly ValuePair[]) => number[],
  alongside: readonly (readonly (readonly TestedPair[])[])[] = [],
): PooledEvidence<Site> {
  // A site that neither stack ever loaded is no evidence about them.
  const measured = found.filter(({ pairs }) =>
    pairs.some(({ values }) => values.some(Number.isFinite)),
  );
  const hasRatio = ({ pairs }: PairsOfSite<Site>) =>
    Number.isFinite(hodgesLehmann(logsOf(pairs.map(({ values }) => values))));
  const pooled = isSurvey(network, measured.length) ? measured.filter(hasRatio) : measured;
  const pairsBySite = pooled.map(({ pairs }) => pairs);
  const values = pairsBySite.flat().map((pair) => pair.values);
  const failed = (side: 0 | 1) => values.filter((pair) => !Number.isFinite(pair[side])).length;
  const over = (numbersOf: (pairs: readonly ValuePair[]) => number[]) => {
    const samplesOf = (pairs: readonly (readonly TestedPair[])[]) =>
      sampled(pairs.map(groupsOf), numbersOf);
    const own = samplesOf(pairsBySite);
    const inflations = [own, ...alongside.map(samplesOf)].map(({ samples, sittings }) =>
      sittingInflation(samples, sittings),
    );
    const ofSittings = pooledInflation(inflations);
    return { mean: fixedSites(own.samples, ofSittings), ofSittings };
  };
  const { mean: ratio, ofSittings } = over(logsOf);
  return {
    sites: pooled.map(({ site }) => site),
    nPairs: values.length,
    nFailed: { arm: failed(0), baseline: failed(1) },
    ratio,
    difference: over(differencesOf).mean,
    sittingFactor: Number.isFinite(ofSittings.degreesOfFreedom)
      ? Math.sqrt(ofSittings.inflation)
      : null,
    nBothFailed: values.filter((pair) => !pair.some(Number.isFinite)).length,
    failures: logsOf(values)
      .filter((log) => !Number.isFinite(log))
      .map((log) => worsening(Math.sign(log), metric)),
    finiteBySite: pairsBySite.map((pairs) =>
      logsOf(pairs.map((pair) => pair.values)).filter(Number.isFinite),
    ),
  };
}

/** Many existing hosts: frequent failures of one host concern only that host. */
function isSurvey(network: NetworkCondition, sites: number): boolean {
  return !isOwnNetwork(network) && sites >= FEWEST_SITES;
}

/** The numbers of each site's groups, and the sittings of these. */
function sampled(
  groups: readonly (readonly (readonly TestedPair[])[])[],
  numbersOf: (pairs: readonly ValuePair[]) => number[],
): { samples: number[][][]; sittings: string[][] } {
  return {
    samples: groups.map((ofSite) =>
      ofSite.map((pairs) => numbersOf(pairs.map(({ values }) => values))),
    ),
    sittings: groups.map((ofSite) => ofSite.map(([first]) => first?.sitting ?? '')),
  };
}

/** Pairs from the same two browsers share the differences of these browsers. */
function groupsOf(pairs: readonly TestedPair[]): TestedPair[][] {
  return [...Map.groupBy(pairs, ({ browsers }) => browsers).values()];
}

/** The numbers of a contrast, with the intervals of a level. */
export function contrastAt(
  { sites, nPairs, nFailed, ratio, difference }: PooledEvidence<unknown>,
  level: number,
  verdict: Verdict,
): Omit<Contrast, 'notes'> {
  return {
    nSites: sites.length,
    nPairs,
    nFailed,
    ratio: ratioOf(estimateAt(ratio, level)),
    difference: estimateAt(difference, level),
    level,
    verdict,
  };
}
