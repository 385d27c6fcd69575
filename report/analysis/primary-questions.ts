import { DamagedRunError } from '../../records/read.ts';
import type { PlannedStack, RunRecord } from '../../records/run.ts';
import type { PairFairness } from '../fairness-summary.ts';
import type { Block } from './blocks.ts';
import { siteConditionKey } from './cell.ts';
import type { Comparison } from './comparison.ts';
import type { PrimaryQuestion } from './primary.ts';

/** A stack and what it is compared with. */
export type PlannedPair = readonly [stack: PlannedStack, baseline: PlannedStack];

/** What the questions of a run are about. */
export interface QuestionSource {
  run: Pick<RunRecord, 'sites' | 'networks' | 'visits'>;
  /** By `siteConditionKey`. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  pairs: readonly PlannedPair[];
  fairness?: readonly PairFairness[];
  /** What came out on each site. */
  comparisons?: readonly Comparison[];
  keep?: (block: Block) => boolean;
}

/** Every stack but controls with the baseline. */
export function plannedPairs(run: Pick<RunRecord, 'stacks'>, baseline: string): PlannedPair[] {
  return run.stacks
    .filter(({ stack, controlOf }) => controlOf === null && stack !== baseline)
    .map((stack) => [stack, stackNamed(run, baseline)]);
}

export function stackNamed({ stacks }: Pick<RunRecord, 'stacks'>, name: string): PlannedStack {
  const found = stacks.find(({ stack }) => stack === name);
  if (found) return found;
  throw new DamagedRunError(`run.json speaks of a stack ${name} that it does not have.`);
}

export function conditionsPlanned({ networks, visits }: Pick<RunRecord, 'networks' | 'visits'>) {
  return networks.flatMap((network) => visits.map((visit) => ({ network, visit })));
}

/** One question for each condition and pair: what all sites say together. */
export function primaryQuestions({
  run,
  blocks,
  pairs,
  fairness = [],
  comparisons = [],
  keep = () => true,
}: QuestionSource): PrimaryQuestion[] {
  return conditionsPlanned(run).flatMap(({ network, visit }) => {
    const sites = run.sites.map(({ site }) => ({
      site,
      blocks: (blocks.get(siteConditionKey({ site, network, visit })) ?? []).filter(keep),
    }));
    if (sites.every((each) => each.blocks.length === 0)) return [];
    return pairs.map(([stack, baseline]) => ({
      ...{ stack, baseline, network, visit, sites },
      likeForLike: fairness.some(
        (pair) => pair.likeForLike === 'yes' && isPair(pair, stack.stack, baseline.stack),
      ),
      comparisons: comparisons.filter(
        (one) => one.network === network.name && one.visit === visit && one.stack === stack.stack,
      ),
    }));
  });
}

function isPair({ a, b }: PairFairness, first: string, second: string): boolean {
  return (a === first && b === second) || (a === second && b === first);
}
