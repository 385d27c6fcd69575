import { subjectConditionKey } from '../../ground/records/cell.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { variantsOf } from '../../ground/records/factors.ts';
import {
  type TransportDifferences,
  transportDifferences,
} from '../../ground/records/like-for-like.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import type { AnalysisPlan, PlannedArm, RunRecord } from '../../ground/records/run.ts';
import { isOwnArm } from '../../ground/stack.ts';
import type { Block } from './blocks.ts';
import type { Comparison } from './comparison.ts';
import { type PairFairness, verdictUnder } from './fairness.ts';

/** Two stacks under one condition, over all sites: one question of a run's primary family. */
export interface PrimaryQuestion {
  arm: PlannedArm;
  baseline: PlannedArm;
  network: NetworkCondition;
  variant: Block['variant'];
  likeForLike: boolean;
  /** null: more than their transports differs, or not known. */
  transports: TransportDifferences | null;
  subjects: readonly { subject: string; blocks: readonly Block[] }[];
  /** Blocks of each site. */
  comparisons: readonly Comparison[];
  /** Further comparisons under the condition, if it was measured in sittings. */
  alongside: readonly PlannedPair[];
}

export type PlannedPair = readonly [arm: PlannedArm, baseline: PlannedArm];

export interface PairNames {
  arm: string;
  baseline: string;
}

export interface QuestionSource {
  run: Pick<RunRecord, 'subjects' | 'networks' | 'factors'>;
  /** By `subjectConditionKey`. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  pairs: readonly PlannedPair[];
  fairness?: readonly PairFairness[];
  comparisons?: readonly Comparison[];
  keep?: (block: Block) => boolean;
}

/**
 * Every stack but controls with its baseline, by their names.
 * @param chosen replaces every baseline of the plan
 */
export function pairNames(run: Pick<RunRecord, 'arms' | 'analysis'>, chosen?: string): PairNames[] {
  return run.arms.flatMap((each) => {
    const { arm, controlOf } = each;
    const baseline = chosen ?? baselineOf(run, each);
    const isCompared = controlOf === null && isOwnArm(each) && arm !== baseline;
    return isCompared ? [{ arm, baseline }] : [];
  });
}

export function plannedPairs(
  run: Pick<RunRecord, 'arms' | 'analysis'>,
  names: readonly PairNames[] = pairNames(run),
): PlannedPair[] {
  return names.map(({ arm, baseline }) => [stackNamed(run, arm), stackNamed(run, baseline)]);
}

/** Name of the stack's baseline in the plan; of the usual baseline, its own. */
export function baselineOf(
  { analysis }: { analysis: Pick<AnalysisPlan, 'baseline'> },
  { comparedWith }: Pick<PlannedArm, 'comparedWith'>,
): string {
  return comparedWith ?? analysis.baseline;
}

export function stackNamed({ arms }: Pick<RunRecord, 'arms'>, name: string): PlannedArm {
  const found = arms.find(({ arm }) => arm === name);
  if (found) return found;
  throw new DamagedRunError(`run.json speaks of a stack ${name} that it does not have.`);
}

export function conditionsPlanned({ networks, factors }: Pick<RunRecord, 'networks' | 'factors'>) {
  return networks.flatMap((network) =>
    variantsOf({ factors }).map((variant) => ({ network, variant })),
  );
}

export function primaryQuestions({
  run,
  blocks,
  pairs,
  fairness = [],
  comparisons = [],
  keep = () => true,
}: QuestionSource): PrimaryQuestion[] {
  return conditionsPlanned(run).flatMap(({ network, variant }) => {
    const subjects = run.subjects.map(({ subject }) => ({
      subject,
      blocks: (blocks.get(subjectConditionKey({ subject, network, variant })) ?? []).filter(keep),
    }));
    if (subjects.every((each) => each.blocks.length === 0)) return [];
    const inSittings = subjects.some((each) => each.blocks.some(({ sitting }) => sitting !== ''));
    return pairs.map(([arm, baseline], index) => {
      const verdict = verdictUnder(
        fairness,
        { arm: arm.arm, baseline: baseline.arm },
        { network: network.name, variant },
      );
      return {
        arm,
        baseline,
        network,
        variant,
        subjects,
        likeForLike: verdict?.likeForLike === 'yes',
        transports: verdict ? transportDifferences(verdict) : null,
        comparisons: comparisons.filter(
          (one) => one.network === network.name && one.variant === variant && one.arm === arm.arm,
        ),
        alongside: inSittings ? pairs.filter((_, other) => other !== index) : [],
      };
    });
  });
}
