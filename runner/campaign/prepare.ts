import type { VisitKind } from '../../clients/chromium/visit-kind.ts';
import { armOf, stackOfArm } from '../../experiments/arms.ts';
import { experimentOf } from '../../experiments/index.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { INTERFERENCE_RULE } from '../../ground/host/rule.ts';
import { readTextOf } from '../../ground/options/named-file.ts';
import { USUAL_CONGESTION_CONTROL } from '../../ground/records/congestion-control.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import { isOfLiveWeb, type NetworkBackend } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { problemOfPlan } from '../../ground/records/problems.ts';
import { isOverTcp } from '../../ground/records/protocol.ts';
import {
  readInvocations,
  readLooks,
  readObservations,
  readRun,
} from '../../ground/records/read.ts';
import type { PlannedArm, PlanRecord, RunRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import type { Trace } from '../../ground/records/trace.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { assertInKernel } from '../../network/kernel-congestion-control.ts';
import { type BackendChoice, backendFor } from '../../network/network.ts';
import { hostFacts } from '../host.ts';
import type { InvocationOptions } from '../invocation-options.ts';
import { assertMakesVisits, assertSetUp, type Machine, readMachine } from '../machine.ts';
import type { Options } from '../options.ts';
import { armsStartedBy, assertOwnPrograms } from '../own-program.ts';
import { readPinning } from '../pinning.ts';
import { makePlan, type Plan, resolvePlan } from '../plan.ts';
import { withoutPassword } from '../queue/redis.ts';
import { realFolder } from '../real-folder.ts';
import { assertUnused, resultsFolder } from '../results.ts';
import { readTraces, tracesBeside } from '../traces.ts';
import { versions } from '../versions.ts';
import { changesSince } from './changes.ts';
import { type DoneLoads, readDoneLoads } from './done-loads.ts';
import { assertUnlocked } from './folder-lock.ts';
import type { InvocationFacts } from './invocation.ts';
import { shardOfText, shardText, trialsOfShard } from './part.ts';
import { planSha256 } from './plan-digest.ts';
import { problemOfValues } from './plan-values.ts';

/** The part of a plan that is a worker's. */
const QUEUE = 'queue';

/** What earlier invocations of a run left. */
interface ResumedRun {
  run: RunRecord;
  done: DoneLoads;
  /** Of a run that is looked at before its end; else none. */
  observations: readonly Observation[];
  looks: readonly LookRecord[];
  invocations: readonly InvocationRecord[];
}

/** An invocation with its plan frozen; nothing is started or written yet. */
export interface PreparedRun {
  folder: string;
  /** As it is, or will be, in run.json. */
  record: PlanRecord;
  plan: Plan;
  /** The recorded links of its conditions. */
  traces: readonly Trace[];
  /** Ids of the loads that are this invocation's to make, whether made already or not. */
  own: ReadonlySet<string>;
  machine: Machine;
  facts: Omit<InvocationFacts, 'backend'>;
  /** What is measured already; null: this is the run's first invocation. */
  resumed: ResumedRun | null;
  backend: BackendChoice | NetworkBackend;
  invocation: InvocationOptions;
}

/** How a run is prepared. */
interface Preparing {
  /** What is found on the machine that measures. */
  readHere?: (arms: ArmsToMeasure) => Promise<Here>;
  /** Ends the making of what is to be measured. */
  signal?: AbortSignal;
}

/**
 * Checks the machine, and freezes the plan, or takes a frozen one.
 * @throws UsageError when the plan cannot be carried out, or was begun with something else than is here now
 */
export async function prepareRun(
  options: Options,
  command: readonly string[],
  { readHere = hereNow, signal }: Preparing = {},
): Promise<PreparedRun> {
  const { invocation } = options;
  const { machine, ...found } = await readHere(await armsOf(options));
  const facts = {
    command: command.map(withoutPassword),
    part: partOf(invocation),
    ...found,
    differences: [],
  };
  const common = { machine, facts, invocation };
  if (invocation.resume !== null) return resumedRun(options, common, signal);
  const record =
    invocation.plan === null
      ? await newPlan(options, command, signal)
      : readPlanFile(invocation.plan, options.pin);
  const folder =
    options.out === null
      ? inFolder(resultsFolder, folderName(record, invocation))
      : realFolder('out', options.out);
  if (invocation.freeze === null) {
    await assertUnused(folder);
    assertMakesVisits(machine, (record.factors.visit ?? []) as VisitKind[]);
    assertMakesPath(record);
    await experimentOf(record).planning?.prepare?.(record.choices);
  }
  if (invocation.queue !== null && isOfLiveWeb(record)) {
    throw new UsageError(
      '--queue: live hosts and pages are asked round by round, which workers of a queue cannot keep. Omit --queue.',
    );
  }
  return {
    ...common,
    folder,
    record,
    plan: await resolvePlan(
      invocation.plan === null
        ? record
        : { ...record, arms: armsStartedBy(options.server, record, `--plan ${invocation.plan}`) },
      signal,
    ),
    traces:
      invocation.plan === null
        ? options.traces
        : readTraces(tracesBeside(invocation.plan), record.networks, `--plan ${invocation.plan}`),
    own: ownOf(record, invocation),
    resumed: null,
    backend: backendFor(record.networks, options.backend),
  };
}

/** @throws UsageError where this kernel's TCP cannot be what the plan asks for */
function assertMakesPath(record: PlanRecord): void {
  if (isOfLiveWeb(record)) return;
  const { choices, arms } = record;
  const ofArms = arms.flatMap(({ protocol, settings, under = {} }) =>
    isOverTcp(protocol)
      ? [settings, ...Object.values(under)].flatMap((each) => each?.congestionControl ?? [])
      : [],
  );
  // The path is made with that of all, even where each arm has its own then.
  const ofAll = choices.congestionControl ?? USUAL_CONGESTION_CONTROL;
  for (const each of new Set([ofAll, ...ofArms])) assertInKernel(each);
}

/** What programs a run needs: the client that asks, and those of stacks. */
interface ArmsToMeasure {
  client: Experiment['client'];
  stacks: readonly Stack[];
}

/** As the plan that is there has them, or else as the options say. */
async function armsOf(options: Options): Promise<ArmsToMeasure> {
  const { invocation, client, stacks, server } = options;
  const { resume, plan, freeze } = invocation;
  const from = resume === null ? `--plan ${plan}` : `--resume ${resume}`;
  if (resume !== null) return armsIn(await readRun(resume), server, from);
  if (plan !== null) return armsIn(readPlanFile(plan, false), server, from);
  // What is frozen here may be measured elsewhere.
  return { client, stacks: freeze === null ? stacks : [] };
}

function armsIn(plan: PlanRecord, server: string | null, from: string): ArmsToMeasure {
  const [first] = plan.arms;
  return {
    client: first?.client ?? experimentOf(plan).client,
    stacks: armsStartedBy(server, plan, from).map(stackOfArm),
  };
}

/** What a run finds on this machine before it begins. */
export interface Here extends Pick<InvocationFacts, 'host' | 'versions'> {
  machine: Machine;
}

async function hereNow({ client, stacks }: ArmsToMeasure): Promise<Here> {
  const machine = readMachine();
  assertSetUp(stacks);
  assertOwnPrograms(stacks);
  const programs = [
    client === 'chromium' ? machine.chromium : machine.bun,
    ...stacks.flatMap(({ runtime }) => (runtime === undefined ? [] : machine[runtime])),
  ];
  return { machine, host: hostFacts(programs), versions: await versions(machine, client, stacks) };
}

async function newPlan(
  options: Options,
  command: readonly string[],
  signal?: AbortSignal,
): Promise<PlanRecord> {
  const startedAt = new Date();
  const plan = await makePlan(options, signal);
  const decided: Omit<PlanRecord, 'planSha256'> = {
    ...FORMAT,
    runId: startedAt.toISOString().slice(0, 19).replaceAll(':', '-'),
    experiment: options.experiment.name,
    recordFile: options.experiment.recordFile,
    preset: options.preset,
    startedAt: startedAt.toISOString(),
    command: [...command],
    seed: options.seed,
    repetitions: options.repetitions,
    ...(options.stopping && { stopping: options.stopping }),
    timeoutS: options.timeoutS,
    subjects: plan.subjects.map(({ planned }) => planned),
    arms: plan.stacks.map((stack) => armOf(stack, options)),
    networks: [...options.networks],
    factors: Object.fromEntries(
      Object.entries(options.factors).map(([name, values]) => [name, [...values]]),
    ),
    choices: { ...options.choices, pinned: options.pin ? readPinning() : null },
    analysis: options.analysis,
    interferenceRule: INTERFERENCE_RULE,
    trials: [...plan.trials],
  };
  const made = { ...decided, planSha256: planSha256(decided) };
  // Its files could not be read again, on this machine or another one.
  const problem = problemOfPlan(made) ?? problemOfValues(made);
  if (problem) throw new UsageError(`This run cannot be planned: ${problem}.`);
  return made;
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
  const problem = problemOfPlan(plan) ?? problemOfDigest(plan) ?? problemOfValues(plan);
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
  { server }: Pick<Options, 'server'>,
  common: Pick<PreparedRun, 'machine' | 'facts' | 'invocation'>,
  signal?: AbortSignal,
): Promise<PreparedRun> {
  const { invocation, facts } = common;
  const folder = invocation.resume ?? '';
  assertUnlocked(folder);
  const run = await readRun(folder);
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
  const arms = armsStartedBy(server, run, `--resume ${folder}`);
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
  // Cuts what was half written, before it is read.
  const done = await readDoneLoads(folder, experimentOf(run), run.trials);
  const part = invocation.shard === null ? (invocations.at(0)?.part ?? null) : facts.part;
  const shard = invocation.shard ?? shardOfText(part);
  return {
    ...common,
    folder,
    record: planOf(run),
    plan: await resolvePlan({ ...run, arms }, signal),
    traces: readTraces(runFolder(folder).traces, run.networks, `--resume ${folder}`),
    own: ownOf(run, { ...invocation, shard }),
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

/** Servers of the user's own that another program starts than before, as sentences. */
function otherPrograms(before: readonly PlannedArm[], now: readonly PlannedArm[]): string[] {
  return before.flatMap(({ stack, own }, index) => {
    const program = now[index]?.own?.program;
    return program === own?.program
      ? []
      : [`The program of ${stack} is ${program}; it was ${own?.program}.`];
  });
}

/** @throws UsageError where a run that stops by a rule is given another budget than it spends its error by */
export function assertItsRule(
  folder: string,
  { stopping }: Pick<RunRecord, 'stopping'>,
  { budgetMs, shard }: Pick<InvocationOptions, 'budgetMs' | 'shard'>,
): void {
  if (stopping && shard !== null) {
    throw new UsageError(
      `--resume ${folder} --shard: the run continues until every answer is decided, which cannot be seen from a part of it. Omit --shard.`,
    );
  }
  if (!stopping || budgetMs === null) return;
  throw new UsageError(
    `--resume ${folder} --budget: the run's budget (${stopping.budgetMs / 1000} s) is part of its plan, because it decides how the error is spent. Omit --budget, or start a new run.`,
  );
}

/** A worker that went on alone would make the loads of all others, and nobody else's blocks are in its queue. */
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

/** run.json without what was found on the machine. */
function planOf({
  backend: _,
  fairness: __,
  versions: ___,
  host: ____,
  read: _____,
  ...plan
}: RunRecord) {
  return plan;
}

function partOf({ shard, queue }: InvocationOptions): string | null {
  if (queue !== null) return QUEUE;
  return shard && shardText(shard);
}

function ownOf(record: PlanRecord, { shard }: Pick<InvocationOptions, 'shard'>): Set<string> {
  const trials = shard ? trialsOfShard(record.trials, shard) : record.trials;
  if (trials.length === 0 && shard) {
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} by ${shard.by}: the plan has nothing for it. Use fewer parts, or --shard-by blocks.`,
    );
  }
  return new Set(trials.map(({ id }) => id));
}

function folderName({ runId }: PlanRecord, { shard, queue }: InvocationOptions): string {
  if (queue !== null) return `${runId}-worker-${process.pid}`;
  return shard ? `${runId}-shard-${shard.index}-of-${shard.count}` : runId;
}
