import { verdictMetric } from '../../experiments/index.ts';
import { blockKey } from '../../records/cell.ts';
import type { InvocationRecord } from '../../records/invocation.ts';
import type { LookRecord } from '../../records/look.ts';
import type { Observation } from '../../records/observation.ts';
import type { PlanRecord, RunRecord } from '../../records/run.ts';
import { nominalLevels } from '../../statistics/group-sequential.ts';
import { attemptsApart, blocksOf } from './blocks.ts';
import { machinesOf } from './machines.ts';
import { ONE_LOOK, type RunLook, tellQuestions } from './primary.ts';
import { conditionsPlanned, plannedPairs, primaryQuestions } from './primary-questions.ts';
import { SIGNIFICANCE } from './verdict.ts';

/** The looks that decide a run's verdicts; whoever reads the report of one that was interrupted takes the last one, of all loads. */
export function looksOf(
  { stopping }: Pick<RunRecord, 'stopping'>,
  records: readonly LookRecord[],
): readonly RunLook[] {
  if (!stopping) return ONE_LOOK;
  const looks = records.map(({ order, fraction }) => ({ order, fraction }));
  return records.at(-1)?.end ? looks : [...looks, ...ONE_LOOK];
}

/**
 * The level of the sites' tests, which are made once, at the end of a run: what the looks that might have ended it before leave of
 * 5 %. Looks that saw no further loads count as one, and those that saw none at all, after a budget shorter than a warm-up, for nothing.
 */
export function significanceAfter(looks: readonly RunLook[]): number {
  const [last, ...before] = looks.filter(({ order }) => order > 0).toReversed();
  if (last === undefined) return SIGNIFICANCE;
  const earlier = before.toReversed().filter(({ order }) => order < last.order);
  const most = earlier.at(-1)?.order ?? 0;
  const information = ({ order }: RunLook) => (Number.isFinite(order) ? order : most + 1);
  const parts = [...earlier, { ...last, fraction: 1 }].map((look) => ({
    fraction: look.fraction,
    information: information(look),
  }));
  return nominalLevels(SIGNIFICANCE, parts).at(-1) ?? SIGNIFICANCE;
}

/** A run whose repetitions a rule stopped has no more than it began, and the first block of all: what else it did not begin is not missing. */
export function asFarAsBegun(run: RunRecord, observations: readonly Observation[]): RunRecord {
  if (!run.stopping) return run;
  const begun = new Set(observations.map(blockKey));
  const trials = run.trials.filter((trial) => trial.block <= 1 || begun.has(blockKey(trial)));
  return { ...run, trials };
}

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
  const questions = primaryQuestions({
    run: plan,
    blocks: blocksOf(plan, standing, machinesOf(invocations)),
    pairs: plannedPairs(plan),
  });
  const { marginPercent } = plan.analysis;
  const settings = { marginPercent, metric: verdictMetric(plan) };
  const answers = tellQuestions(questions, settings, looks);
  const conditions = conditionsPlanned(plan).map(({ network, variant }) => ({
    network: network.name,
    variant,
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
