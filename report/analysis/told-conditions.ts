import type { LookRecord } from '../../records/look.ts';
import type { PageLoad } from '../../records/page-load.ts';
import type { PlanRecord } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';
import { verdictMetric } from '../metrics/verdict-metric.ts';
import { blocksOf } from './blocks.ts';
import { machinesOf } from './machines.ts';
import { type RunLook, tellQuestions } from './primary.ts';
import { conditionsPlanned, plannedPairs, primaryQuestions } from './primary-questions.ts';
import { attemptsApart } from './standing-loads.ts';

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
  const { analysis } = plan;
  const questions = primaryQuestions({
    run: plan,
    blocks: blocksOf(plan, standing, machinesOf(sittings)),
    pairs: plannedPairs(plan, analysis.baseline),
  });
  const { marginPercent } = analysis;
  const settings = { marginPercent, metric: verdictMetric(analysis) };
  const answers = tellQuestions(questions, settings, looks);
  const conditions = conditionsPlanned(plan).map(({ network, visit }) => ({
    ...{ network: network.name, visit },
  }));
  const told = conditions.filter(({ network, visit }) =>
    questions.every(
      (question, index) =>
        question.network.name !== network ||
        question.visit !== visit ||
        (answers[index]?.afterPairs ?? null) !== null,
    ),
  );
  return { told, all: told.length === conditions.length };
}
