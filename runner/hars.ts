import { rm } from 'node:fs/promises';
import path from 'node:path';
import { experimentOf } from '../experiments/index.ts';
import { plannedIdOf } from '../records/attempt.ts';
import { subjectConditionKey } from '../records/cell.ts';
import { countedLoads, type LoadOfBlock } from '../records/counted-loads.ts';
import { medianLoad } from '../records/median-load.ts';
import type { Observation } from '../records/observation.ts';
import { eachObservation } from '../records/read.ts';
import type { RunChoices, RunRecord } from '../records/run.ts';

/** What of a load decides about its HAR. */
type LoadWithHar = LoadOfBlock &
  Pick<Observation, 'block' | 'warmup'> & { har: string | null; timeMs: number };

/** All loads of a site under one condition, on all stacks. */
interface Cell {
  /** Ids of planned loads that have no row yet. */
  missing: Set<string>;
  loads: LoadWithHar[];
}

/** What a run keeps HARs by. */
export type HarPlan = Pick<RunRecord, 'experiment' | 'trials' | 'arms' | 'analysis'> & {
  choices: Pick<RunChoices, 'hars'>;
};

/** The HARs of a run. */
export type KeptHars = ReturnType<typeof keptHars>;

/**
 * Keeps the HARs that the run's choice says, and removes others when it is known which: those of a site under a condition
 * when all its loads are made. HARs of loads that failed or were invalid always stay, and so do the records of all loads.
 * @param own ids of the planned loads that are to be made into this folder; by default all of the plan
 */
export function keptHars(folder: string, plan: HarPlan, own?: ReadonlySet<string>) {
  const { hars } = plan.choices;
  const arms = plan.arms.map(({ arm }) => arm);
  const planned = plan.trials.filter(({ id }) => hars === 'median' && (!own || own.has(id)));
  const cells = new Map(
    [...Map.groupBy(planned, subjectConditionKey)].map(([key, trials]): [string, Cell] => [
      key,
      { missing: new Set(trials.map(({ id }) => id)), loads: [] },
    ]),
  );
  const remove = async (names: readonly (string | null)[]) => {
    for (const har of names) {
      if (har !== null) await rm(path.join(folder, har), { force: true });
    }
  };
  const removeAllButMedians = ({ loads }: Cell) => {
    const kept = medianHars(loads, arms);
    const ok = loads.filter(({ outcome }) => outcome === 'ok');
    return remove(ok.flatMap(({ har }) => (kept.has(har) ? [] : [har])));
  };
  /** To be called when the row of a load is on the disk. */
  const made = async (load: Observation): Promise<void> => {
    if (hars === 'all') return;
    const har = load.files.har ?? null;
    if (hars === 'none') return remove(load.outcome === 'ok' ? [har] : []);
    const key = subjectConditionKey(load);
    const cell = cells.get(key);
    // Of another machine's part, or a warm-up made anew after all the rest.
    if (!cell) return remove(load.outcome === 'ok' && load.warmup ? [har] : []);
    const { arm, outcome, code, attempt, invocation, block, warmup, metrics } = load;
    const timeMs = metrics[plan.analysis.metric] ?? Number.NaN;
    cell.loads.push({ arm, outcome, code, attempt, invocation, block, warmup, har, timeMs });
    cell.missing.delete(plannedIdOf(load));
    if (cell.missing.size > 0) return;
    cells.delete(key);
    await removeAllButMedians(cell);
  };
  return {
    made,
    /** Learns what earlier invocations made, and removes what they had no time to. */
    async readMade(): Promise<void> {
      if (hars === 'all') return;
      for await (const load of eachObservation(folder, experimentOf(plan), () => {}))
        await made(load);
    },
    /** The same for conditions that are not whole when nothing more will be made here: a worker has some of the blocks. */
    async endAsItIs(): Promise<void> {
      for (const cell of cells.values()) await removeAllButMedians(cell);
      cells.clear();
    },
  };
}

/** The HARs of the loads that the report shows of each stack: the median ones of those that count. */
function medianHars(loads: readonly LoadWithHar[], arms: readonly string[]): Set<string | null> {
  const blocks = Map.groupBy(
    loads.filter(({ warmup }) => !warmup),
    ({ block }) => block,
  );
  const counted = [...blocks.values()]
    .flatMap((made) => [...countedLoads(arms, made).ok.values()])
    .filter(({ timeMs }) => !Number.isNaN(timeMs));
  const byStack = Map.groupBy(counted, ({ arm }) => arm);
  return new Set(
    [...byStack.values()].map(
      (own) => medianLoad(own.map((load) => ({ ...load, value: load.timeMs })))?.har ?? null,
    ),
  );
}
