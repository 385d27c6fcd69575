import { experimentOf } from '../../experiments/index.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { planOf, problemOfDigest } from '../../ground/records/plan-digest.ts';
import { problemOfPlan } from '../../ground/records/problems.ts';
import { readInvocations, readLooks, readObservations } from '../../ground/records/read.ts';
import type { PlannedArm, RunRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { shardOfText } from '../../ground/records/shard.ts';
import { UsageError } from '../../ground/system/errors.ts';
import type { InvocationOptions } from '../invocation-options.ts';
import type { Options } from '../options.ts';
import { withOwnPrograms } from '../own-program.ts';
import { assertMakesPath } from '../path-choices.ts';
import { resolvePlan } from '../plan.ts';
import { readTraces } from '../traces.ts';
import { type DoneLoads, readDoneLoads } from './done-loads.ts';
import { assertUnlocked } from './folder-lock.ts';
import { changesSince, type InvocationFacts } from './invocation.ts';
import { ownOf, QUEUE } from './part.ts';
import { problemOfValues } from './plan-values.ts';

/** Results of a run's earlier invocations. */
export interface ResumedRun {
  run: RunRecord;
  done: DoneLoads;
  /** Empty unless the run has a stopping rule. */
  observations: readonly Observation[];
  looks: readonly LookRecord[];
  invocations: readonly InvocationRecord[];
}

/**
 * Reads what a run needs in order to continue.
 * @throws UsageError when it cannot, or began with other facts than now
 */
export async function resumedRun(
  run: RunRecord,
  { server }: Pick<Options, 'server'>,
  common: { facts: Omit<InvocationFacts, 'backend'>; invocation: InvocationOptions },
  signal?: AbortSignal,
) {
  const { invocation, facts } = common;
  const folder = invocation.resume ?? '';
  assertUnlocked(folder);
  if (run.read) {
    throw new UsageError(
      `--resume ${folder}: the run was read from ${run.read.file}, and nothing can be measured into it. Start a new run.`,
    );
  }
  const problem = problemOfDigest(planOf(run));
  if (problem) {
    throw new UsageError(
      `--resume ${folder}: run.json is not the plan that the run began with: ${problem}. Restore it from a copy, or start a new run.`,
    );
  }
  const wrong = problemOfPlan(planOf(run)) ?? problemOfValues(run);
  if (wrong) {
    throw new UsageError(`--resume ${folder}: run.json: ${wrong}. Start a new run.`);
  }
  const arms = withOwnPrograms(server, run, `--resume ${folder}`);
  const invocations = await readInvocations(folder);
  assertSameSource(folder, invocations, invocation);
  const differences = [...changesSince(run, invocations, facts), ...otherPrograms(run.arms, arms)];
  if (differences.length > 0 && !invocation.resumeAnyway) {
    throw new UsageError(
      `--resume ${folder}: something has changed since the run began:\n${differences.map((each) => `  ${each}\n`).join('')}Loads before and after could not be compared. Restore it, or use --resume-anyway, which the report will mention.`,
    );
  }
  assertItsRule(folder, run, invocation);
  assertMakesPath(run);
  // Removes incomplete lines before the file is read.
  const done = await readDoneLoads(folder, experimentOf(run), run.trials);
  const part = invocation.shard === null ? (invocations.at(0)?.part ?? null) : facts.part;
  const shard = invocation.shard ?? shardOfText(part);
  return {
    folder,
    record: planOf(run),
    plan: await resolvePlan({ ...run, arms }, signal),
    traces: readTraces(runFolder(folder).traces, run.networks, `--resume ${folder}`),
    own: ownOf(run.trials, shard),
    facts: { ...facts, part, differences },
    resumed: {
      run,
      done,
      invocations,
      observations: run.stopping
        ? (await readObservations(folder, experimentOf(run))).observations
        : [],
      looks: await readLooks(folder),
    },
    backend: run.backend,
  };
}

/** User's own servers whose program has changed, as sentences. */
function otherPrograms(before: readonly PlannedArm[], now: readonly PlannedArm[]): string[] {
  return before.flatMap(({ stack, own }, index) => {
    const program = now[index]?.own?.program;
    return program === own?.program
      ? []
      : [`The program of ${stack} is ${program}; it was ${own?.program}.`];
  });
}

/** @throws UsageError when a run with a stopping rule is resumed with --budget or --shard */
export function assertItsRule(
  folder: string,
  { stopping }: Pick<RunRecord, 'stopping'>,
  { budgetMs, shard }: Pick<InvocationOptions, 'budgetMs' | 'shard'>,
): void {
  if (stopping && shard !== null) {
    throw new UsageError(
      `--resume ${folder} --shard: the run continues until every answer is decided, which a part of it cannot show. Omit --shard.`,
    );
  }
  if (!stopping || budgetMs === null) return;
  throw new UsageError(
    `--resume ${folder} --budget: the run's budget (${stopping.budgetMs / 1000} s) is part of its plan, because it decides how the error is spent. Omit --budget, or start a new run.`,
  );
}

/** A worker that resumed without its queue would make all loads of other workers; another worker's blocks are not in its queue. */
function assertSameSource(
  folder: string,
  [first]: readonly InvocationRecord[],
  { queue }: InvocationOptions,
): void {
  const wasWorker = first?.part === QUEUE;
  if (!first || wasWorker === (queue !== null)) return;
  throw new UsageError(
    wasWorker
      ? `--resume ${folder}: its loads came from a queue. Add --queue URL.`
      : `--resume ${folder}: its loads did not come from a queue. Omit --queue.`,
  );
}
