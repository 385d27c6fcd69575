import { rm } from 'node:fs/promises';
import { experimentOf, verdictMetric } from '../experiments/index.ts';
import { type Metric, numberOf, worsening } from '../ground/experiment.ts';
import { plannedIdOf } from '../ground/records/attempt.ts';
import { subjectConditionKey } from '../ground/records/cell.ts';
import { type BlockLoad, countedLoads } from '../ground/records/counted-loads.ts';
import { inFolder } from '../ground/records/file-name.ts';
import { medianLoad } from '../ground/records/median-load.ts';
import type { Observation } from '../ground/records/observation.ts';
import { eachObservation } from '../ground/records/read.ts';
import type { RunChoices, RunRecord } from '../ground/records/run.ts';

/** The part of a load's result that decides about its files. */
export interface LoadWithFiles extends BlockLoad, Pick<Observation, 'block' | 'warmup' | 'files'> {
  /** Value of the metric that verdicts use, larger is worse; NaN: no value. */
  value: number;
}

/** All loads of a site under one condition, on all stacks. */
interface ConditionLoads {
  /** Ids of planned loads that have no row yet. */
  missing: Set<string>;
  loads: LoadWithFiles[];
}

/** The part of a plan that decides which files are kept. */
type FilesPlan = Pick<RunRecord, 'experiment' | 'trials' | 'arms' | 'analysis'> & {
  choices: Pick<RunChoices, 'hars' | 'packets'>;
};

/** The files of single loads that a run keeps. */
export type KeptFiles = ReturnType<typeof keptFiles>;

/** Kinds of files, and which of them are kept of the loads that are ok. */
export function keptKinds({
  hars,
  packets,
}: FilesPlan['choices']): Record<string, RunChoices['hars']> {
  // Without a capture there is nothing to remove.
  return { har: hars, link: 'median', packets: packets === 'median' ? 'median' : 'all' };
}

/**
 * Keeps the files that the run's choices select, and removes the rest once all loads of a site under a condition
 * are made. Files of loads that failed or were invalid are always kept, and so are the records of all loads.
 * @param own ids of the planned loads that belong to this folder; default: the whole plan
 */
export function keptFiles(folder: string, plan: FilesPlan, own?: ReadonlySet<string>) {
  const metric = verdictMetric(plan);
  const kept = Object.entries(keptKinds(plan.choices));
  const kindsWith = (choice: RunChoices['hars']) =>
    kept.flatMap(([kind, chosen]) => (chosen === choice ? [kind] : []));
  const [never, ofMedians] = [kindsWith('none'), kindsWith('median')];
  const arms = plan.arms.map(({ arm }) => arm);
  const planned = plan.trials.filter(({ id }) => ofMedians.length > 0 && (!own || own.has(id)));
  const conditions = new Map(
    [...Map.groupBy(planned, subjectConditionKey)].map(
      ([key, trials]): [string, ConditionLoads] => [
        key,
        { missing: new Set(trials.map(({ id }) => id)), loads: [] },
      ],
    ),
  );
  const remove = async (
    { outcome, files }: Pick<Observation, 'outcome' | 'files'>,
    kinds: readonly string[],
  ) => {
    if (outcome !== 'ok') return;
    for (const kind of kinds) {
      const file = files[kind];
      if (file !== undefined) await rm(inFolder(folder, file), { force: true });
    }
  };
  const removeAllButMedians = async ({ loads }: ConditionLoads) => {
    const medians = medianLoads(loads, arms);
    for (const load of loads) if (!medians.has(load)) await remove(load, ofMedians);
  };
  /** Call it when the row of a load is on the disk. */
  const made = async (load: Observation): Promise<void> => {
    await remove(load, never);
    if (ofMedians.length === 0) return;
    const key = subjectConditionKey(load);
    const condition = conditions.get(key);
    // Part of another machine, or a warm-up that was repeated at the end.
    if (!condition) return load.warmup ? remove(load, ofMedians) : undefined;
    condition.loads.push(loadWithFiles(load, metric));
    condition.missing.delete(plannedIdOf(load));
    if (condition.missing.size > 0) return;
    conditions.delete(key);
    await removeAllButMedians(condition);
  };
  return {
    made,
    /** Reads the loads of earlier invocations, and removes the files that those did not remove. */
    async readMade(): Promise<void> {
      if (never.length + ofMedians.length === 0) return;
      for await (const load of eachObservation(folder, experimentOf(plan), () => {}))
        await made(load);
    },
    /** Chooses also for incomplete conditions, as no further load is made here: a worker has only some of the blocks. */
    async endAsItIs(): Promise<void> {
      for (const condition of conditions.values()) await removeAllButMedians(condition);
      conditions.clear();
    },
  };
}

/** Facts of a load that are kept until all loads of its site and condition are made. */
export function loadWithFiles(load: Observation, metric: Metric): LoadWithFiles {
  const { arm, outcome, code, attempt, invocation, block, warmup, files } = load;
  const value = worsening(numberOf(load, metric) ?? Number.NaN, metric);
  return { arm, outcome, code, attempt, invocation, block, warmup, files, value };
}

/**
 * The loads that the report shows of each stack: the medians of the counted ones.
 * @param loads of one subject under one condition
 */
export function medianLoads<Load extends LoadWithFiles>(
  loads: readonly Load[],
  arms: readonly string[],
): Set<Load> {
  const blocks = Map.groupBy(
    loads.filter(({ warmup }) => !warmup),
    ({ block }) => block,
  );
  const counted = [...blocks.values()]
    .flatMap((made) => [...countedLoads(arms, made).ok.values()])
    .filter(({ value }) => !Number.isNaN(value));
  const byStack = Map.groupBy(counted, ({ arm }) => arm);
  return new Set(
    [...byStack.values()].flatMap((own) => {
      return medianLoad(own) ?? [];
    }),
  );
}
