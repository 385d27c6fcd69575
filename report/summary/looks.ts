import { verdictMetric } from '../../experiments/index.ts';
import { blockKey, conditionKey } from '../../ground/records/cell.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PlanRecord, RunRecord } from '../../ground/records/run.ts';
import { nominalLevels } from '../../statistics/group-sequential.ts';
import { blocksOf, splitAttempts } from './blocks.ts';
import { stackPairs, undecidedSites } from './compare.ts';
import { isPrecise } from './family.ts';
import { machinesOf } from './machines.ts';
import {
  decideQuestions,
  isBeforeLook,
  looksAt,
  ONE_LOOK,
  poolSites,
  type RunLook,
} from './primary.ts';
import { conditionsPlanned, plannedPairs, primaryQuestions } from './primary-questions.ts';
import { SIGNIFICANCE } from './verdict.ts';

/**
 * The looks that decide a run's verdicts. The report of an unfinished run is a look as well, at all loads so far: if the run
 * goes on, that look is recorded first (`StoppedWork.hasUnseen`), so that it spends its part of the error.
 */
export function looksOf(
  plan: Pick<PlanRecord, 'stopping' | 'subjects' | 'repetitions'>,
  records: readonly LookRecord[],
  observations: readonly Observation[],
): readonly RunLook[] {
  if (!plan.stopping) return ONE_LOOK;
  const looks = records.map(({ order, fraction, told }) => ({ order, fraction, told }));
  if (records.at(-1)?.end) return looks;
  const fraction = fractionAt(plan, observations, records);
  return [...looks, { order: Number.POSITIVE_INFINITY, fraction }];
}

/**
 * Share of the error that may be spent by now: the share of the planned blocks that are made, in the condition with the
 * most, because decided conditions get no further blocks. It never falls, and does not depend on the time that blocks took.
 */
export function fractionAt(
  { subjects, repetitions }: Pick<PlanRecord, 'subjects' | 'repetitions'>,
  observations: readonly Observation[],
  before: readonly Pick<LookRecord, 'fraction'>[],
): number {
  const made = Map.groupBy(
    observations.filter(({ warmup }) => !warmup),
    ({ network, factors }) => conditionOf({ network, variant: variantOf(factors) }),
  );
  const blocks = [...made.values()].map((loads) => new Set(loads.map(blockKey)).size);
  const share = Math.max(0, ...blocks) / (subjects.length * repetitions);
  return Math.min(1, Math.max(share, before.at(-1)?.fraction ?? 0));
}

/**
 * The level of the sites' tests: what earlier looks leave of 5 %. The tests are made when a run ends, and spend the rest.
 * Looks without further loads count as one; looks without any loads do not count.
 */
export function significanceAfter(looks: readonly RunLook[], hasEnded: boolean): number {
  const [last, ...before] = looks.filter(({ order }) => order > 0).toReversed();
  if (last === undefined) return SIGNIFICANCE;
  const earlier = before.toReversed().filter(({ order }) => order < last.order);
  const most = earlier.at(-1)?.order ?? 0;
  const information = ({ order }: RunLook) => (Number.isFinite(order) ? order : most + 1);
  const parts = [...earlier, { ...last, fraction: hasEnded ? 1 : last.fraction }].map((look) => ({
    fraction: look.fraction,
    information: information(look),
  }));
  return nominalLevels(SIGNIFICANCE, parts).at(-1) ?? SIGNIFICANCE;
}

/** The begun blocks of a run that a rule stopped, and the first block of all: other blocks are not missing. */
export function begunPartOf(run: RunRecord, observations: readonly Observation[]): RunRecord {
  if (!run.stopping) return run;
  const begun = new Set(observations.map(blockKey));
  const trials = run.trials.filter((trial) => trial.block <= 1 || begun.has(blockKey(trial)));
  return { ...run, trials };
}

interface ObservedRun {
  invocations: readonly InvocationRecord[];
  observations: readonly Observation[];
  looks: readonly RunLook[];
}

/**
 * The conditions that are decided at the last look, and whether all are: every primary answer is precise, and every test of
 * a single site is decided.
 */
export function decidedConditions(
  plan: PlanRecord,
  { invocations, observations, looks }: ObservedRun,
): { told: LookRecord['told']; all: boolean } {
  const { counted } = splitAttempts(plan, observations);
  const blocks = blocksOf(plan, counted, machinesOf(invocations));
  const pairs = plannedPairs(plan);
  const { marginPercent } = plan.analysis;
  const metric = verdictMetric(plan);
  const questions = primaryQuestions({ run: plan, blocks, pairs });
  const decisions = decideQuestions(questions, { marginPercent, metric }, looks);
  const rule = { marginPercent, isOnly: questions.length === 1 };
  const imprecise = questions.filter((question, index) => {
    const [decision, last] = [decisions[index], looksAt(question, looks).at(-1)];
    return (
      !decision ||
      !last ||
      !isPrecise(poolSites(question, { metric }, isBeforeLook(last)), decision, rule)
    );
  });
  const significance = significanceAfter(looks, false);
  const undecided = undecidedSites(stackPairs({ run: plan, blocks, pairs }), {
    marginPercent,
    metric,
    significance,
  });
  const open = new Set([
    ...imprecise.map(conditionOf),
    ...undecided.map(({ network, variant }) => conditionKey({ network, variant })),
  ]);
  const before = new Set((looks.at(-2)?.told ?? []).map(conditionKey));
  const conditions = conditionsPlanned(plan);
  const decided = conditions.filter(
    (each) => before.has(conditionOf(each)) || !open.has(conditionOf(each)),
  );
  return {
    told: decided.map(({ network, variant }) => ({ network: network.name, variant })),
    all: decided.length === conditions.length,
  };
}

function conditionOf({ network, variant }: { network: { name: string }; variant: string }): string {
  return conditionKey({ network: network.name, variant });
}
