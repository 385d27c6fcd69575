import { verdictMetric } from '../../experiments/index.ts';
import type { InvocationRecord } from '../../records/invocation.ts';
import type { LookRecord } from '../../records/look.ts';
import type { Observation } from '../../records/observation.ts';
import type { PlanRecord } from '../../records/run.ts';
import { blocksOf } from './blocks.ts';
import { machinesOf } from './machines.ts';
import { type RunLook, tellQuestions } from './primary.ts';
import { conditionsPlanned, plannedPairs, primaryQuestions } from './primary-questions.ts';
import { attemptsApart } from './standing-loads.ts';

/** What there is to look at. */
export interface SeenRun {
  invocations: readonly InvocationRecord[];
  observations: readonly Observation[];
  looks: readonly RunLook[];
}

/** The conditions of which every primary answer is told at the last of these looks, and whether that is all of them. */
export function toldConditions(
  plan: PlanRecord,
  { invocations, observations, looks }: SeenRun,
): { told: LookRecord['told']; all: boolean } {
  const { standing } = attemptsApart(plan, observations);
  const { analysis } = plan;
  const questions = primaryQuestions({
    run: plan,
    blocks: blocksOf(plan, standing, machinesOf(invocations)),
    pairs: plannedPairs(plan, analysis.baseline),
  });
  const { marginPercent } = analysis;
  const settings = { marginPercent, metric: verdictMetric(plan) };
  const answers = tellQuestions(questions, settings, looks);
  const conditions = conditionsPlanned(plan).map(({ network, variant }) => ({
    ...{ network: network.name, variant },
  }));
  const told = conditions.filter(({ network, variant }) =>
    questions.every(
      (question, index) =>
        question.network.name !== network ||
        question.variant !== variant ||
        (answers[index]?.afterPairs ?? null) !== null,
    ),
  );
  return { told, all: told.length === conditions.length };
}
