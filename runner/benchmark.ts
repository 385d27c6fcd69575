import path from 'node:path';
import { ensureLeaves } from '../certs/leaf.ts';
import { RECORD_FORMAT_VERSION } from '../records/page-load.ts';
import type { RunRecord } from '../records/run.ts';
import { removeLeftProfiles } from './browser/profile.ts';
import { hostFacts } from './host.ts';
import { readMachine } from './machine.ts';
import type { Options } from './options.ts';
import { makePlan, type Plan } from './plan.ts';
import { makeProgress } from './progress.ts';
import { assertUnused, openResults, type Results, resultsFolder } from './results.ts';
import { withServers } from './servers.ts';
import { runTrial, type TrialContext } from './trial.ts';
import { versions } from './versions.ts';

/** A run that is ready to be measured: everything is decided and its folder is there. */
export interface PreparedRun {
  plan: Plan;
  results: Results;
  measure(signal: AbortSignal): Promise<Tally>;
}

/** How a run's measured loads came out. */
export interface Tally {
  ok: number;
  failed: number;
  invalid: number;
}

/** Checks the machine, freezes the plan, and writes it down; starts nothing. */
export async function prepareRun(
  options: Options,
  command: readonly string[],
): Promise<PreparedRun> {
  const startedAt = new Date();
  const runId = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = path.resolve(options.out ?? path.join(resultsFolder, runId));
  await assertUnused(folder);
  const machine = readMachine();
  const plan = await makePlan(options);
  const run: RunRecord = {
    formatVersion: RECORD_FORMAT_VERSION,
    runId,
    startedAt: startedAt.toISOString(),
    command: [...command],
    seed: options.seed,
    repetitions: options.repetitions,
    timeoutS: options.timeoutS,
    sites: plan.sites.map(({ planned }) => planned),
    stacks: plan.stacks.map(({ stack, label, protocol }) => ({ stack, label, protocol })),
    trials: [...plan.trials],
    versions: await versions(machine),
    host: hostFacts(),
  };
  await ensureLeaves([...new Set(plan.sites.flatMap(({ hosts }) => hosts))]);
  await removeLeftProfiles();
  const results = await openResults(folder, run);
  const context = {
    chromium: machine.chromium,
    timeoutS: options.timeoutS,
    versions: run.versions,
  };
  return {
    plan,
    results,
    async measure(signal) {
      try {
        return await measure(plan, { machine, ...context, results, signal });
      } finally {
        await results.close();
      }
    },
  };
}

type MeasureContext = TrialContext & {
  machine: ReturnType<typeof readMachine>;
  results: Results;
  signal: AbortSignal;
};

/** Carries the plan out, one load at a time; every load is on the disk before the next begins. */
async function measure(plan: Plan, context: MeasureContext): Promise<Tally> {
  const { machine, results, signal } = context;
  const { stacks } = plan;
  const tally: Tally = { ok: 0, failed: 0, invalid: 0 };
  const progress = makeProgress(plan.trials.length);
  let order = 0;
  try {
    for (const { planned, manifest, folder, hosts } of plan.sites) {
      const { site } = planned;
      const { logsFolder } = results;
      await withServers(
        { machine, stacks, siteFolder: folder, site, hosts, logsFolder, signal },
        async (servers) => {
          for (const trial of plan.trials.filter((each) => each.site === site)) {
            signal.throwIfAborted();
            for (const server of servers) server.assertAlive();
            const server = servers.find((each) => each.stack.stack === trial.stack);
            if (!server) throw new Error(`no server for ${trial.stack}`);
            progress.started(trial);
            const pageLoad = await runTrial(trial, ++order, manifest, server, context);
            await results.append(pageLoad);
            if (!trial.warmup) tally[pageLoad.outcome]++;
            progress.ended(pageLoad);
          }
          for (const server of servers) server.assertAlive();
        },
      );
    }
  } finally {
    progress.close();
  }
  return tally;
}
