import type { VisitKind } from '../../clients/visit-kind.ts';
import { armOf, clientOfArms, stackOfArm } from '../../experiments/arms.ts';
import { experimentOf } from '../../experiments/index.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { INTERFERENCE_RULE } from '../../ground/host/interference-rule.ts';
import { readTextOf } from '../../ground/options/named-file.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import { FORMAT } from '../../ground/records/format.ts';
import { isLiveRun, type NetworkBackend } from '../../ground/records/network.ts';
import { upgradePlan } from '../../ground/records/older-format.ts';
import { planSha256, problemOfDigest } from '../../ground/records/plan-digest.ts';
import { problemOfPlan } from '../../ground/records/problems.ts';
import { readRun } from '../../ground/records/read.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import type { Trace } from '../../ground/records/trace.ts';
import { type Stack, splitBrowser } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { readIdentity } from '../../ground/system/identity.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { type BackendChoice, backendFor } from '../../network/network.ts';
import { assertBrowsers, browserPrograms } from '../browsers.ts';
import type { InvocationOptions } from '../invocation-options.ts';
import {
  assertMakesVisits,
  assertSetUp,
  browserOfMachine,
  hostFacts,
  type Machine,
  readMachine,
} from '../machine.ts';
import type { Options } from '../options.ts';
import { assertOwnPrograms, withOwnPrograms } from '../own-program.ts';
import { assertMakesPath } from '../path-choices.ts';
import { readPinning } from '../pinning.ts';
import { makePlan, type Plan, resolvePlan } from '../plan.ts';
import { withoutPassword } from '../queue/redis.ts';
import { realFolder } from '../real-folder.ts';
import { assertUnused, resultsFolder } from '../results.ts';
import { readTraces, tracesFolderOf } from '../traces.ts';
import { versions } from '../versions.ts';
import type { InvocationFacts } from './invocation.ts';
import { ownOf, partOf } from './part.ts';
import { problemOfValues } from './plan-values.ts';
import type { ResumedRun } from './resumed-run.ts';

/** An invocation with a frozen plan, before anything is started or written. */
export interface PreparedRun {
  folder: string;
  /** Content of run.json. */
  record: PlanRecord;
  plan: Plan;
  /** The recorded links of its conditions. */
  traces: readonly Trace[];
  /** Ids of the loads that belong to this invocation, measured or not. */
  own: ReadonlySet<string>;
  machine: Machine;
  facts: Omit<InvocationFacts, 'backend'>;
  /** Loads measured so far; null: this is the run's first invocation. */
  resumed: ResumedRun | null;
  backend: BackendChoice | NetworkBackend;
  invocation: InvocationOptions;
}

interface PrepareOptions {
  /** Reads the facts of the measuring machine. */
  readMachineState?: (arms: ArmsToMeasure) => Promise<MachineState>;
  /** Stops generating sites. */
  signal?: AbortSignal;
}

/**
 * Checks the machine, and freezes the plan, or takes a frozen one.
 * @throws UsageError when the plan cannot be executed, or the run began with other facts than now
 */
export async function prepareRun(
  options: Options,
  command: readonly string[],
  { readMachineState: readHere = readMachineState, signal }: PrepareOptions = {},
): Promise<PreparedRun> {
  const { invocation } = options;
  const run = invocation.resume === null ? null : await readRun(invocation.resume);
  const frozen = invocation.plan === null ? null : readPlanFile(invocation.plan, options.pin);
  const { machine, ...found } = await readHere(armsOf(options, run ?? frozen));
  const facts = {
    command: command.map(withoutPassword),
    part: partOf(invocation.shard, invocation.queue),
    ...found,
    differences: [],
  };
  const common = { machine, facts, invocation };
  if (run !== null) {
    const { resumedRun } = await import('./resumed-run.ts');
    return { ...common, ...(await resumedRun(run, options, common, signal)) };
  }
  const planned = frozen ?? (await newPlan(options, command, signal));
  const record = 'record' in planned ? planned.record : planned;
  const folder =
    options.out === null
      ? inFolder(resultsFolder, folderName(record, invocation))
      : realFolder('out', options.out);
  if (invocation.freeze === null) {
    await assertUnused(folder);
    assertBrowsersMakeVisits(machine, record);
    assertMakesPath(record);
    await experimentOf(record).planning?.prepare?.(record.choices);
  }
  if (invocation.queue !== null && isLiveRun(record)) {
    throw new UsageError(
      '--queue: live hosts and pages are measured in rounds, which workers of a queue cannot keep. Omit --queue.',
    );
  }
  return {
    ...common,
    folder,
    ...('record' in planned ? planned : await frozenPlan(planned, options, signal)),
    own: ownOf(record.trials, invocation.shard),
    resumed: null,
    backend: backendFor(record.networks, options.backend, record.arms),
  };
}

/** @throws UsageError for a visit that a browser of the run does not support */
function assertBrowsersMakeVisits(
  { chromium, browsers = {} }: Machine,
  { factors, arms }: PlanRecord,
): void {
  const visits = (factors.visit ?? []) as VisitKind[];
  if (arms.some(({ arm }) => splitBrowser(arm)[1] === null)) {
    assertMakesVisits(chromium, visits, 'Let CHROMIUM_PATH name a whole Chromium');
  }
  for (const [name, program] of Object.entries(browsers)) {
    assertMakesVisits(
      program,
      visits,
      `Let --browser ${shellWord(name)}@PATH name a whole Chromium`,
    );
  }
}

/** Programs that a run needs: the client, other browsers, and those of stacks. */
interface ArmsToMeasure {
  client: Experiment['client'];
  /** Binaries that `--browser` names. */
  browsers: Record<string, string>;
  stacks: readonly Stack[];
}

/** Arms of the existing plan, or else of the options. */
function armsOf(options: Options, given: PlanRecord | null): ArmsToMeasure {
  const { invocation, client, server, browsers } = options;
  const { resume, plan, freeze } = invocation;
  const from = resume === null ? `--plan ${plan}` : `--resume ${resume}`;
  // A plan that is frozen here may be measured elsewhere.
  const ofOptions = freeze === null ? options.stacks : [];
  const stacks = given ? withOwnPrograms(server, given, from).map(stackOfArm) : ofOptions;
  return {
    client: given ? clientOfArms(given.arms, experimentOf(given)) : client,
    browsers: browserPrograms(browsers, stacks, given && from),
    stacks,
  };
}

/** Facts of this machine before a run begins. */
export interface MachineState extends Pick<InvocationFacts, 'host' | 'versions' | 'revision'> {
  machine: Machine;
}

async function readMachineState(arms: ArmsToMeasure): Promise<MachineState> {
  const { client, stacks } = arms;
  const needsFirefox = stacks.some(({ browser }) => browser === 'firefox');
  const browsers = {
    ...(needsFirefox && { firefox: browserOfMachine('firefox') }),
    ...arms.browsers,
  };
  const isUsual = Object.keys(browsers).length === 0;
  const machine = { ...readMachine(), ...(!isUsual && { browsers }) };
  assertSetUp(stacks);
  assertOwnPrograms(stacks);
  assertBrowsers(browsers);
  const programs = [
    client === 'chromium' ? machine.chromium : machine.bun,
    ...Object.values(browsers),
    ...stacks.flatMap(({ runtime }) => runtime?.program ?? []),
  ];
  const { commit, dirty } = readIdentity();
  return {
    machine,
    host: hostFacts(programs),
    versions: await versions(machine, client, stacks),
    revision: { commit, dirty },
  };
}

/** A plan with the facts that it takes from this machine. */
type PlanParts = Pick<PreparedRun, 'record' | 'plan' | 'traces'>;

async function newPlan(
  options: Options,
  command: readonly string[],
  signal?: AbortSignal,
): Promise<PlanParts> {
  const startedAt = new Date();
  const { choices, ...plan } = await makePlan(options, signal);
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
    ...(options.excludedStacks.length > 0 && { excludedStacks: options.excludedStacks }),
    networks: [...options.networks],
    factors: Object.fromEntries(
      Object.entries(options.factors).map(([name, values]) => [name, [...values]]),
    ),
    choices: { ...choices, pinned: options.pin ? readPinning() : null },
    analysis: options.analysis,
    interferenceRule: INTERFERENCE_RULE,
    trials: [...plan.trials],
  };
  const made = { ...decided, planSha256: planSha256(decided) };
  // A plan that does not validate could not be read again.
  const problem = problemOfPlan(made) ?? problemOfValues(made);
  if (problem) throw new UsageError(`This run cannot be planned: ${problem}.`);
  // Derives the stacks from the names of the arms, as for a plan that is read.
  const stacks = made.arms.map(stackOfArm);
  return { record: made, plan: { ...plan, stacks }, traces: options.traces };
}

async function frozenPlan(
  record: PlanRecord,
  { invocation: { plan: file }, server }: Options,
  signal?: AbortSignal,
): Promise<PlanParts> {
  const from = `--plan ${file}`;
  return {
    record,
    plan: await resolvePlan({ ...record, arms: withOwnPrograms(server, record, from) }, signal),
    traces: readTraces(tracesFolderOf(file ?? ''), record.networks, from),
  };
}

/** Reads a frozen plan from another machine; pinned cores are those of this machine. */
function readPlanFile(file: string, pin: boolean): PlanRecord {
  const text = readTextOf('plan', file);
  let plan: PlanRecord;
  try {
    plan = upgradePlan(JSON.parse(text)) as PlanRecord;
  } catch {
    throw new UsageError(`--plan ${file} is not valid JSON. --freeze FILE writes such a file.`);
  }
  const problem = problemOfPlan(plan) ?? problemOfDigest(plan) ?? problemOfValues(plan);
  if (problem)
    throw new UsageError(`--plan ${file}: ${problem}. --freeze FILE writes such a file.`);
  const pinned = pin || plan.choices.pinned ? readPinning() : null;
  return { ...plan, choices: { ...plan.choices, pinned } };
}

function folderName({ runId }: PlanRecord, { shard, queue }: InvocationOptions): string {
  if (queue !== null) return `${runId}-worker-${process.pid}`;
  return shard ? `${runId}-shard-${shard.index}-of-${shard.count}` : runId;
}
