import type { LookRecord } from '../../records/look.ts';
import type { PageLoad } from '../../records/page-load.ts';
import type { PlanRecord } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';
import { verdictMetric } from '../metrics/verdict-metric.ts';
import { blocksOf } from './blocks.ts';
import { machinesOf } from './machines.ts';
import { answerPrimary, type RunLook } from './primary.ts';
import { conditionsPlanned, plannedPairs, primaryQuestions } from './primary-questions.ts';
import { attemptsApart } from './standing-loads.ts';
import { SIGNIFICANCE } from './verdict.ts';

/** What there is to look at. */
export interface SeenRun {
  sittings: readonly SittingRecord[];
  pageLoads: readonly PageLoad[];
  looks: readonly RunLook[];
}

/** The conditions of which every primary answer is told at the last of these looks, and whether that is all of them. */
export function toldConditions(
  plan: PlanRecord,
  { sittings, pageLoads, looks }: SeenRun,
): { told: LookRecord['told']; all: boolean } {
  const { standing } = attemptsApart(plan, pageLoads);
  const { seed, analysis } = plan;
  const answers = answerPrimary(
    primaryQuestions({
      run: plan,
      blocks: blocksOf(plan, standing, machinesOf(sittings)),
      pairs: plannedPairs(plan, analysis.baseline),
    }),
    {
      ...{ seed, marginPercent: analysis.marginPercent, significance: SIGNIFICANCE },
      metric: verdictMetric(analysis),
    },
    looks,
  );
  const conditions = conditionsPlanned(plan).map(({ network, visit }) => ({
    ...{ network: network.name, visit },
  }));
  const told = conditions.filter(({ network, visit }) =>
    answers
      .filter((answer) => answer.network === network && answer.visit === visit)
      .every(({ toldAfterPairs }) => toldAfterPairs !== null),
  );
  return { told, all: told.length === conditions.length };
}
