import { hodgesLehmann } from './hodges-lehmann.ts';
import { mean } from './mean.ts';

export interface PooledRatio {
  ratio: number;
  /** Number of sites with at least one pair; only these count. */
  sites: number;
  pairs: number;
}

/**
 * Geometric mean over sites of each site's ratio, every site with the same weight however many pairs it has. A site's
 * ratio is e to the power of the Hodges-Lehmann estimate of its log ratios. Null without any pair.
 * @example geometricMeanRatio([[Math.log(2)], [Math.log(8)]]) // root of 2 x 8: { ratio: 4, sites: 2, pairs: 2 }
 */
export function geometricMeanRatio(
  logRatiosBySite: readonly (readonly number[])[],
): PooledRatio | null {
  const sites = logRatiosBySite.filter((logRatios) => logRatios.length > 0);
  const logRatio = mean(sites.map((logRatios) => hodgesLehmann(logRatios) as number));
  if (logRatio === null) return null;
  return { ratio: Math.exp(logRatio), sites: sites.length, pairs: sites.flat().length };
}
