import type { AskedNetwork } from '../../records/network.ts';
import type { PlannedStack } from '../../records/run.ts';
import { conditionPhrase } from '../condition.ts';
import { counted, decimalText } from '../number-text.ts';
import { hierarchicalBootstrap } from '../statistics/hierarchical-bootstrap.ts';
import { FEWEST_FOR_INTERVAL } from '../statistics/interval.ts';
import type { Block } from './blocks.ts';
import { type ComparisonSettings, pairedLogRatios } from './compare.ts';
import type { Comparison, Estimate, PooledComparison, Verdict } from './comparison.ts';
import { machineNotes } from './machine-notes.ts';
import { ratioIntervalText, ratioText } from './ratio-text.ts';
import { seedOf } from './seed.ts';
import { isWithinMargin } from './verdict.ts';

/** Two stacks under one condition, over all sites. */
export interface PoolOfSites {
  stack: PlannedStack;
  baseline: PlannedStack;
  network: AskedNetwork;
  visit: Block['visit'];
  likeForLike: boolean;
  /** The blocks of each site. */
  blocksBySite: readonly (readonly Block[])[];
  /** What came out on each site. */
  comparisons: readonly Comparison[];
}

/** Puts the sites of one condition together. */
export function pool(
  sites: PoolOfSites,
  { seed, marginPercent, metric }: ComparisonSettings,
): PooledComparison {
  const { stack, baseline, network, visit, likeForLike, blocksBySite, comparisons } = sites;
  const names = [stack.stack, baseline.stack] as const;
  const logRatiosOf = (keep: (block: Block) => boolean) =>
    blocksBySite
      .map((blocks) => pairedLogRatios(blocks.filter(keep), metric, ...names))
      .filter((logRatios) => logRatios.length > 0);
  const all = logRatiosOf(() => true);
  const isDisturbed = blocksBySite.some((blocks) => blocks.some(({ disturbed }) => disturbed));
  const poolSeed = seedOf(seed, 'pooled', network.name, visit, ...names);
  const ratio = pooledRatio(all, poolSeed);
  const nPairs = all.flat().length;
  const numbers = { nSites: all.length, nPairs, ratio };
  const verdict = verdictOf(numbers, marginPercent);
  return {
    network: network.name,
    visit,
    stack: stack.stack,
    baseline: baseline.stack,
    likeForLike,
    ...numbers,
    verdict,
    sentence: sentenceOf(sites, numbers, verdict, { marginPercent, metric }),
    verdicts: countVerdicts(comparisons),
    ratioWithoutDisturbed: isDisturbed
      ? pooledRatio(
          logRatiosOf(({ disturbed }) => !disturbed),
          poolSeed,
        )
      : null,
    notes: machineNotes({ stack, baseline }, blocksBySite.flat()),
  };
}

type Numbers = Pick<PooledComparison, 'nSites' | 'nPairs' | 'ratio'>;

function pooledRatio(logRatiosBySite: readonly number[][], seed: number): Estimate | null {
  const pooled = hierarchicalBootstrap(logRatiosBySite, { seed });
  return pooled && { estimate: pooled.ratio, low: pooled.low, high: pooled.high };
}

function verdictOf({ nPairs, ratio }: Numbers, marginPercent: number): Verdict {
  if (nPairs < FEWEST_FOR_INTERVAL || ratio === null) return 'cannot tell';
  if (isWithinMargin(ratio, marginPercent)) return 'same';
  if (ratio.high !== null && ratio.high < 1) return 'faster';
  if (ratio.low !== null && ratio.low > 1) return 'slower';
  return 'cannot tell';
}

/** For a reader who has a site and no statistics. */
function sentenceOf(
  { stack, baseline, network, visit, likeForLike, comparisons }: PoolOfSites,
  { nSites, nPairs, ratio }: Numbers,
  verdict: Verdict,
  { marginPercent, metric: { inTime } }: Pick<ComparisonSettings, 'marginPercent' | 'metric'>,
): string {
  const condition = conditionPhrase(network, visit);
  const [name, other] = [stack.label, baseline.label];
  if (ratio === null || nSites === 0) {
    return `${condition}, nothing can be said of ${name} and ${other}: there is no pair of loads to compare.`;
  }
  const sites = nSites === 1 ? 'the one site' : `these ${nSites} sites`;
  // The interval is over sites too: it speaks of such pages, of which these are a sample.
  const pages = nSites === 1 ? 'the one site' : `pages like these ${nSites}`;
  const between = ratioIntervalText(ratio);
  const speaking = likeForLike ? ' These two differ in the protocol alone.' : '';
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${condition}, ${name} is ${ratioText(ratio.estimate)} than ${other}${inTime} on ${pages} (${between}).${speaking}`;
    case 'same':
      return `${condition}, ${name} and ${other} are equally fast${inTime} on ${pages} within the margin of ${decimalText(marginPercent)} % (${between}).${speaking}`;
    case 'cannot tell':
      return between === null || nPairs < FEWEST_FOR_INTERVAL
        ? `${condition}, ${counted(nPairs, 'pair')} of loads on ${sites} ${nPairs === 1 ? 'is' : 'are'} too few to tell whether ${name} or ${other} is faster${inTime}.`
        : `${condition}, it cannot be told whether ${name} is faster or slower than ${other}${inTime} on ${pages}: anything from ${between} is possible.${ofTheirOwn(comparisons)}`;
  }
}

/** Sites that can be told one by one even though they differ too much to be told together. */
function ofTheirOwn(comparisons: readonly Comparison[]): string {
  const { faster, slower } = countVerdicts(comparisons);
  if (faster + slower === 0) return '';
  const each = [faster > 0 && `faster on ${faster}`, slower > 0 && `slower on ${slower}`];
  return ` Site by site it is ${each.filter((part) => part !== false).join(' and ')}.`;
}

function countVerdicts(comparisons: readonly Comparison[]): Record<Verdict, number> {
  const counts = { faster: 0, slower: 0, same: 0, 'cannot tell': 0 };
  for (const { verdict } of comparisons) counts[verdict] += 1;
  return counts;
}
