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

/**
 * Keeps the HARs that the run's choice says, and removes others when it is known which: those of a site under a condition
 * when all its loads are made. HARs of loads that failed or were invalid always stay, and so do the records of all loads.
 */
export class KeptHars {
  readonly #folder: string;
  readonly #plan: HarPlan;
  readonly #conditions = new Map<string, Cell>();

  /** @param own ids of the planned loads that are to be made into this folder; by default all of the plan */
  constructor(folder: string, plan: HarPlan, own?: ReadonlySet<string>) {
    this.#folder = folder;
    this.#plan = plan;
    if (plan.choices.hars !== 'median') return;
    for (const trial of plan.trials) {
      if (own && !own.has(trial.id)) continue;
      const key = subjectConditionKey(trial);
      const known = this.#conditions.get(key);
      if (known) known.missing.add(trial.id);
      else this.#conditions.set(key, { missing: new Set([trial.id]), loads: [] });
    }
  }

  /** Learns what earlier invocations made, and removes what they had no time to. */
  async readMade(): Promise<void> {
    if (this.#plan.choices.hars === 'all') return;
    for await (const load of eachObservation(this.#folder, experimentOf(this.#plan), () => {}))
      await this.made(load);
  }

  /** To be called when the row of a load is on the disk. */
  async made(load: Observation): Promise<void> {
    const { hars } = this.#plan.choices;
    if (hars === 'all') return;
    if (hars === 'none') return this.#remove(load.outcome === 'ok' ? [harOf(load)] : []);
    const key = subjectConditionKey(load);
    const condition = this.#conditions.get(key);
    // Of another machine's part, or a warm-up made anew after all the rest.
    if (!condition) return this.#remove(load.outcome === 'ok' && load.warmup ? [harOf(load)] : []);
    const { arm, outcome, code, attempt, invocation, block, warmup, metrics } = load;
    const timeMs = metrics[this.#plan.analysis.metric] ?? Number.NaN;
    const har = harOf(load);
    condition.loads.push({ arm, outcome, code, attempt, invocation, block, warmup, har, timeMs });
    condition.missing.delete(plannedIdOf(load));
    if (condition.missing.size > 0) return;
    this.#conditions.delete(key);
    await this.#removeAllButMedians(condition);
  }

  /** The same for conditions that are not whole when nothing more will be made here: a worker has some of the blocks. */
  async endAsItIs(): Promise<void> {
    for (const condition of this.#conditions.values()) await this.#removeAllButMedians(condition);
    this.#conditions.clear();
  }

  #removeAllButMedians({ loads }: Cell): Promise<void> {
    const kept = medianHars(
      loads,
      this.#plan.arms.map(({ arm }) => arm),
    );
    const ok = loads.filter(({ outcome }) => outcome === 'ok');
    return this.#remove(ok.flatMap(({ har }) => (kept.has(har) ? [] : [har])));
  }

  async #remove(hars: readonly (string | null)[]): Promise<void> {
    for (const har of hars) {
      if (har !== null) await rm(path.join(this.#folder, har), { force: true });
    }
  }
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

function harOf({ files }: Observation): string | null {
  return files.har ?? null;
}
