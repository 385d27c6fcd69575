import path from 'node:path';
import type { LookRecord } from '../../records/look.ts';
import { type PageLoad, RECORD_FORMAT_VERSION } from '../../records/page-load.ts';
import { problemOfPlan } from '../../records/problems.ts';
import {
  formatVersionOf,
  readLooks,
  readPageLoads,
  readRun,
  readSittings,
} from '../../records/read.ts';
import type { PlanRecord, RunRecord } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';
import { UsageError } from '../errors.ts';
import { hostFacts } from '../host.ts';
import { assertMakesVisits, type Machine, readMachine } from '../machine.ts';
import type { BackendChoice } from '../network/network.ts';
import type { Options } from '../options.ts';
import { readPinning } from '../pinning.ts';
import { makePlan, type Plan, resolvePlan } from '../plan.ts';
import { withoutPassword } from '../queue/redis.ts';
import { QUIET_RULE } from '../quiet/rule.ts';
import { realFolder } from '../real-folder.ts';
import { assertUnused, resultsFolder } from '../results.ts';
import { readTextOf, type SittingOptions } from '../sitting-options.ts';
import { versions } from '../versions.ts';
import { changesSince } from './changes.ts';
import { type DoneLoads, readDoneLoads } from './done-loads.ts';
import { assertUnlocked } from './folder-lock.ts';
import { shardOfText, shardText, trialsOfShard } from './part.ts';
import { planSha256 } from './plan-digest.ts';
import type { SittingFacts } from './sitting.ts';

/** The part of a plan that is a worker's. */
const QUEUE = 'queue';

/** What earlier sittings of a run left. */
export interface ResumedRun {
  run: RunRecord;
  done: DoneLoads;
  /** Of a run that is looked at before its end; else none. */
  pageLoads: readonly PageLoad[];
  looks: readonly LookRecord[];
  sittings: readonly SittingRecord[];
}

/** A sitting with its plan frozen; nothing is started or written yet. */
export interface PreparedRun {
  folder: string;
  /** As it is, or will be, in run.json. */
  record: PlanRecord;
  plan: Plan;
  /** Ids of the loads that are this sitting's to make, whether made already or not. */
  own: ReadonlySet<string>;
  machine: Machine;
  facts: Omit<SittingFacts, 'backend'>;
  /** What is measured already; null: this is the run's first sitting. */
  resumed: ResumedRun | null;
  backend: BackendChoice;
  sitting: SittingOptions;
}

/**
 * Checks the machine, and freezes the plan, or takes a frozen one.
 * @throws UsageError when the plan cannot be carried out, or was begun with something else than is here now
 */
export async function prepareRun(
  options: Options,
  command: readonly string[],
): Promise<PreparedRun> {
  const { sitting } = options;
  const machine = readMachine();
  const facts = {
    command: command.map(withoutPassword),
    part: partOf(sitting),
    host: hostFacts(),
    versions: await versions(machine),
    differences: [],
  };
  const common = { machine, facts, sitting, backend: options.backend };
  if (sitting.resume !== null) return resumedRun(sitting.resume, common);
  const record =
    sitting.plan === null
      ? await newPlan(options, command)
      : readPlanFile(sitting.plan, options.pin);
  const folder =
    options.out === null
      ? path.join(resultsFolder, folderName(record, sitting))
      : realFolder('out', options.out);
  if (sitting.freeze === null) await assertUnused(folder);
  if (sitting.freeze === null) assertMakesVisits(machine, record.visits);
  const plan = await resolvePlan(record);
  return { ...common, folder, record, plan, own: ownOf(record, sitting), resumed: null };
}

async function newPlan(options: Options, command: readonly string[]): Promise<PlanRecord> {
  const startedAt = new Date();
  const plan = await makePlan(options);
  const decided: Omit<PlanRecord, 'planSha256'> = {
    formatVersion: RECORD_FORMAT_VERSION,
    runId: startedAt.toISOString().slice(0, 19).replaceAll(':', '-'),
    preset: options.preset,
    startedAt: startedAt.toISOString(),
    command: [...command],
    seed: options.seed,
    repetitions: options.repetitions,
    ...(options.stopping && { stopping: options.stopping }),
    timeoutS: options.timeoutS,
    sites: plan.sites.map(({ planned }) => planned),
    stacks: plan.stacks.map(({ stack, label, protocol, controlOf }) => ({
      ...{ stack, label, protocol, controlOf },
    })),
    networks: [...options.networks],
    visits: [...options.visits],
    choices: { ...options.choices, pinned: options.pin ? readPinning() : null },
    analysis: options.analysis,
    quietRule: QUIET_RULE,
    trials: [...plan.trials],
  };
  return { ...decided, planSha256: planSha256(decided) };
}

/** The plan that another machine froze; which cores are whose is a matter of this one. */
function readPlanFile(file: string, pin: boolean): PlanRecord {
  const text = readTextOf('plan', file);
  let plan: PlanRecord;
  try {
    plan = JSON.parse(text);
  } catch {
    throw new UsageError(`--plan ${file} is not valid JSON. --freeze FILE writes such a file.`);
  }
  const problem = problemOfPlan(plan) ?? problemOfDigest(plan);
  if (problem)
    throw new UsageError(`--plan ${file}: ${problem}. --freeze FILE writes such a file.`);
  const pinned = pin || plan.choices.pinned ? readPinning() : null;
  return { ...plan, choices: { ...plan.choices, pinned } };
}

function problemOfDigest(plan: PlanRecord): string | null {
  const { planSha256: told, ...rest } = plan;
  return planSha256(rest) === told ? null : 'it was changed after it was frozen';
}

async function resumedRun(
  folder: string,
  common: Pick<PreparedRun, 'machine' | 'facts' | 'sitting' | 'backend'>,
): Promise<PreparedRun> {
  const { sitting, facts } = common;
  assertUnlocked(folder);
  const formatVersion = await formatVersionOf(folder);
  if (formatVersion === RECORD_FORMAT_VERSION - 1) {
    throw new UsageError(
      `--resume ${folder}: the run was begun by an earlier version of this program (format ${formatVersion}, this one writes ${RECORD_FORMAT_VERSION}), whose loads were made in another way. npm run report still reads it; to measure, begin a new run.`,
    );
  }
  const { backend, fairness, versions: then, host, ...record } = await readRun(folder);
  const run = { ...record, backend, fairness, versions: then, host };
  const problem = problemOfDigest(planOf(run));
  if (problem) {
    throw new UsageError(
      `--resume ${folder}: run.json is not the plan that the run was begun with: ${problem}. Restore it from a copy, or begin a new run.`,
    );
  }
  const sittings = await readSittings(folder);
  assertSameSource(folder, sittings, sitting);
  const differences = changesSince(run, sittings, facts);
  if (differences.length > 0 && !sitting.resumeAnyway) {
    throw new UsageError(
      `--resume ${folder}: this is not what the run was begun with:\n${differences.map((each) => `  ${each}\n`).join('')}Loads before and after could not be compared. Restore it, or go on with --resume-anyway, which every reader of the report will be told.`,
    );
  }
  assertItsRule(folder, run, sitting);
  // Cuts what was half written, before it is read.
  const done = await readDoneLoads(folder);
  const part = sitting.shard === null ? (sittings.at(0)?.part ?? null) : facts.part;
  const shard = sitting.shard ?? shardOfText(part);
  return {
    ...common,
    folder,
    record: planOf(run),
    plan: await resolvePlan(run),
    own: ownOf(run, { ...sitting, shard }),
    facts: { ...facts, part, differences },
    resumed: {
      ...{ run, done, sittings },
      pageLoads: run.stopping ? (await readPageLoads(folder)).pageLoads : [],
      looks: await readLooks(folder),
    },
    backend: run.backend,
  };
}

/** @throws UsageError where a run that stops by a rule is given another budget than it spends its error by */
export function assertItsRule(
  folder: string,
  { stopping }: Pick<RunRecord, 'stopping'>,
  { budgetMs, shard }: Pick<SittingOptions, 'budgetMs' | 'shard'>,
): void {
  if (stopping && shard !== null) {
    throw new UsageError(
      `--resume ${folder} --shard: the run goes on until every answer is told, which nobody can see who makes a part of it. Leave --shard out.`,
    );
  }
  if (!stopping || budgetMs === null) return;
  throw new UsageError(
    `--resume ${folder} --budget: the run has its budget from its beginning (${stopping.budgetMs / 1000} s), by which it spends its error. Leave --budget out, or begin a new run.`,
  );
}

/** A worker that went on alone would make the loads of all others, and nobody else's blocks are in its queue. */
function assertSameSource(
  folder: string,
  [first]: readonly SittingRecord[],
  { queue }: SittingOptions,
): void {
  const wasWorker = first?.part === QUEUE;
  if (!first || wasWorker === (queue !== null)) return;
  throw new UsageError(
    wasWorker
      ? `--resume ${folder}: it has the loads of a worker, which took them from a queue. Go on with --queue URL as well.`
      : `--resume ${folder}: its loads did not come from a queue. Go on without --queue.`,
  );
}

/** run.json without what was found on the machine. */
function planOf({ backend: _, fairness: __, versions: ___, host: ____, ...plan }: RunRecord) {
  return plan;
}

function partOf({ shard, queue }: SittingOptions): string | null {
  if (queue !== null) return QUEUE;
  return shard && shardText(shard);
}

function ownOf(record: PlanRecord, { shard }: Pick<SittingOptions, 'shard'>): Set<string> {
  const trials = shard ? trialsOfShard(record.trials, shard) : record.trials;
  if (trials.length === 0 && shard) {
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} by ${shard.by}: the plan has nothing for it. Use fewer parts, or --shard-by blocks.`,
    );
  }
  return new Set(trials.map(({ id }) => id));
}

function folderName({ runId }: PlanRecord, { shard, queue }: SittingOptions): string {
  if (queue !== null) return `${runId}-worker-${process.pid}`;
  return shard ? `${runId}-shard-${shard.index}-of-${shard.count}` : runId;
}
