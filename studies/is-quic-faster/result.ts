import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { variantsOf } from '../../ground/records/factors.ts';
import { type InvocationRecord, invocationSchema } from '../../ground/records/invocation.ts';
import { networkConditionSchema } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { type PlanRecord, type RunRecord, runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { schemaCheck } from '../../ground/records/schema-check.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { versionTexts } from '../../kit/text/versions.ts';
import { explanationResultSchema } from '../../report/explanation/schema.ts';
import {
  comparisonSchema,
  primaryAnswerSchema,
  secondaryAnswerSchema,
} from '../../report/summary/comparison.ts';
import { conditionChangeSchema } from '../../report/summary/condition-change.ts';
import { machineSummarySchema } from '../../report/summary/machine-summary.ts';
import { type MeasuredRun, readRecords } from '../../report/summary/measured-run.ts';
import { type PairNames, pairNames, stackNamed } from '../../report/summary/primary-questions.ts';
import { BASE, COMPARED_CONDITIONS, DIVIDED, PARTS, type Part } from './parts.ts';
import { planOf } from './plans.ts';
import { withRecords } from './records.ts';

const RESULT_FORMAT_VERSION = 3;

const { subject, network, variant, arm, baseline, nPairs, ratio, verdict } =
  comparisonSchema.properties;
const { runId, planSha256, seed, repetitions } = runSchema.properties;
const { resources, wireBytes } = runSchema.properties.subjects.items.properties;
const { host, versions } = invocationSchema.properties;

const armSchema = s.object(
  { arm, label: s.text('Name for readers.'), protocol: s.text('Its protocol.') },
  'A stack as it was measured.',
);

const subjectSchema = s.object({ subject, resources, wireBytes }, 'A page as it was planned.');

const pageSchema = s.object(
  { subject, network, variant, arm, baseline, nPairs, ratio, verdict },
  'Two stacks on one page under one condition.',
);

const loadSchema = s.object(
  {
    subject,
    network,
    variant,
    arm,
    nPlanned: s.count('Loads planned.'),
    nOk: s.count('Loads that were ok.'),
    nFailed: s.count('Loads that failed.'),
    nInvalid: s.count('Invalid loads.'),
    medianMs: s.orNull(s.number('Median page load time; null: no load counts.')),
    serverCpuMs: s.orNull(
      s.number("Median processor time of the server's program; null: unknown."),
    ),
  },
  'Loads of one page by one stack under one condition, without warm-ups.',
);

const furtherSchema = s.object(
  {
    nOk: s.count('Loads that were ok.'),
    nFailed: s.count('Loads that failed.'),
    nInvalid: s.count('Invalid loads.'),
  },
  'Loads by the further stacks that divide gains, without warm-ups.',
);

const reasonSchema = s.object(
  {
    outcome: s.text('failed or invalid.'),
    code: s.text('The reason, in one word.'),
    count: s.count('Loads.'),
  },
  'Why loads did not count.',
);

const sittingSchema = s.object(
  {
    sitting: s.text('Its part of the plan.'),
    startedAt: s.moment('When it began.'),
    lastLoadAt: s.moment('When its last load began.'),
    nLoads: s.count('Loads without warm-ups.'),
    host,
  },
  'A sitting; an interrupted one is several of these.',
);

const machineSchema = s.object(
  {
    sittings: s.list(s.text('A part of the plan.'), 'Those that it made, in their order.'),
    answers: machineSummarySchema.properties.primary,
  },
  'A machine, and the answers by its sittings alone.',
);

const resultSchema = s.object(
  {
    formatVersion: s.constant(RESULT_FORMAT_VERSION, 'The version of this format.'),
    part: s.name('Name of the part.'),
    runId,
    plannedAt: s.moment('When its plan was frozen.'),
    sittings: s.list(sittingSchema, 'In the order of their starts.'),
    planSha256,
    seed,
    repetitions,
    metric: s.name('Metric of the verdicts.'),
    marginPercent: s.number('Differences within this many percent count as equal.'),
    machines: s.list(machineSchema, 'In the order of their first sittings.'),
    versions,
    arms: s.list(armSchema, 'In the order of the plan.'),
    subjects: s.list(subjectSchema, 'In the order of the plan.'),
    networks: s.list(networkConditionSchema, 'In the order of the plan.'),
    answers: s.list(primaryAnswerSchema, 'HTTP/3 against HTTP/2, at the level of the family.'),
    paints: s.list(secondaryAnswerSchema, 'The same by paints; empty: not planned.'),
    changes: s.list(
      conditionChangeSchema,
      'How each stack changes from one condition to the other, at the level of the family; empty: not planned.',
    ),
    divisions: s.list(explanationResultSchema, 'Gains divided; empty: not planned.'),
    pages: s.list(pageSchema, 'In the order of the plan.'),
    loads: s.list(loadSchema, 'In the order of the plan.'),
    further: furtherSchema,
    reasons: s.list(reasonSchema, 'The most frequent first.'),
    disturbedLoads: s.count('Loads made while the machine was not quiet; they count.'),
    warnings: s.list(s.text('A sentence.'), 'Of the report.'),
  },
  'A part of the measurement: the documented part of its run’s summary, unrounded.',
);

export type PartResult = s.Static<typeof resultSchema>;

/** Folder of the documented results. */
const RESULTS = path.join(import.meta.dirname, 'results');

const problemOfResult = schemaCheck(resultSchema);

/**
 * The existing results, in the order of the parts.
 * @throws DamagedRunError for one with another format
 */
export function readResults(folder = RESULTS): PartResult[] {
  return PARTS.flatMap(({ name }) => {
    const file = path.join(folder, `${name}.json`);
    if (!existsSync(file)) return [];
    const result: unknown = JSON.parse(readPlainTextSync(file));
    const problem = problemOfResult(result);
    if (problem) {
      throw new DamagedRunError(`${file}: ${problem}. Restore it, or write it again from its run.`);
    }
    return result as PartResult;
  });
}

/**
 * Writes the result of every part that has records.
 * @throws DamagedRunError for damaged records, or those of another plan
 */
export async function writeResults(): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const plans = PARTS.map(planOf);
  for (const part of PARTS) {
    const text = await resultText(part, plans);
    if (text !== null) await writeFileAtomically(path.join(RESULTS, `${part.name}.json`), text);
  }
}

/**
 * The file of a part's result, computed from its records; null: some sittings are missing.
 * @throws DamagedRunError for damaged records, or those of another plan
 */
export async function resultText(part: Part, plans: readonly PlanRecord[]): Promise<string | null> {
  const plan = plans[PARTS.indexOf(part)] as PlanRecord;
  const result = await withRecords(part, plan, (folder) =>
    resultOf(part, folder, plan, familyOf(part, plans)),
  );
  return result && `${linesOf(result)}\n`;
}

/** The stacks over HTTP/3, each with HTTP/2 by the same program. */
function protocolPairs(run: Pick<RunRecord, 'arms' | 'analysis'>): PairNames[] {
  const protocol = (arm: string) => stackNamed(run, arm).protocol;
  return pairNames(run).filter(({ arm, baseline }) => protocol(arm) !== protocol(baseline));
}

/** Number of answers of the family of a part: the base is one, all further parts another. */
function familyOf({ name }: Part, plans: readonly PlanRecord[]): number {
  const isOfBase = BASE.includes(name);
  return PARTS.reduce((sum, part, index) => {
    const plan = plans[index] as PlanRecord;
    const isOfFamily = part.name !== DIVIDED && BASE.includes(part.name) === isOfBase;
    return isOfFamily
      ? sum + answersOf(plan) + (COMPARED_CONDITIONS === part.name ? plan.arms.length : 0)
      : sum;
  }, 0);
}

function answersOf(plan: PlanRecord): number {
  return protocolPairs(plan).length * plan.networks.length * variantsOf(plan).length;
}

/** @throws DamagedRunError for a damaged run, or one of another plan */
export async function resultOf(
  part: Part,
  folder: string,
  plan: PlanRecord,
  family: number,
): Promise<PartResult> {
  const { run, all, invocations, summariseWith } = await readRecords(folder);
  const [first] = invocations;
  if (run.planSha256 !== plan.planSha256 || !first) {
    throw new DamagedRunError(
      `The records of ${part.name} have the plan ${run.planSha256}, expected the frozen one: ${plan.planSha256}.`,
    );
  }
  const measured = summariseWith(
    part.name === DIVIDED ? {} : { pairs: protocolPairs(run), family },
  );
  const loads = all.filter(({ warmup }) => !warmup);
  const further = loads.filter(({ arm }) => run.arms.every((each) => each.arm !== arm));
  const withOutcome = (outcome: Observation['outcome']) =>
    further.filter((load) => load.outcome === outcome).length;
  return {
    ...resultOfRun(part, measured),
    further: {
      nOk: withOutcome('ok'),
      nFailed: withOutcome('failed'),
      nInvalid: withOutcome('invalid'),
    },
    sittings: sittingsOf(invocations, loads),
    versions: versionTexts(first),
  };
}

function sittingsOf(
  invocations: readonly InvocationRecord[],
  loads: readonly Observation[],
): PartResult['sittings'] {
  const loadsOf = Map.groupBy(loads, ({ invocation }) => invocation);
  return invocations.map(({ id, part: sitting, startedAt, host: ownHost }) => {
    const starts = (loadsOf.get(id) ?? []).map((load) => load.startedAt);
    return {
      sitting: sitting ?? '',
      startedAt,
      lastLoadAt: starts.toSorted().at(-1) ?? startedAt,
      nLoads: starts.length,
      host: ownHost,
    };
  });
}

/** The documented part of a summary. */
function resultOfRun(
  { name: part }: Part,
  { run, summary }: MeasuredRun,
): Omit<PartResult, 'versions' | 'sittings' | 'further'> {
  const { analysis, exclusions, primary, secondary, comparisons, rows, warnings } = summary;
  const { conditionChanges, explanations = [], machines } = summary;
  return {
    formatVersion: RESULT_FORMAT_VERSION,
    part,
    runId: run.runId,
    plannedAt: run.startedAt,
    planSha256: run.planSha256,
    seed: run.seed,
    repetitions: run.repetitions,
    metric: analysis.metric,
    marginPercent: analysis.marginPercent,
    machines: machines.map(({ sittings = {}, primary: answers }) => ({
      sittings: [...new Set(Object.values(sittings))],
      answers: [...answers],
    })),
    arms: run.arms.map((each) => s.fieldsOf(armSchema, each)),
    subjects: run.subjects.map((each) => s.fieldsOf(subjectSchema, each)),
    networks: [...run.networks],
    answers: [...primary],
    paints: BASE.includes(part) ? [...secondary] : [],
    changes:
      part === COMPARED_CONDITIONS
        ? conditionChanges.filter(({ baseline }) => baseline === null)
        : [],
    divisions: [...explanations],
    pages: comparisons.map((each) => s.fieldsOf(pageSchema, each)),
    loads: rows.map(({ network, metrics, processor, ...row }) =>
      s.fieldsOf(loadSchema, {
        ...row,
        network: network.name,
        medianMs: metrics[analysis.metric]?.median ?? null,
        serverCpuMs: processor?.serverCpuMs ?? null,
      }),
    ),
    reasons: exclusions.entries.map((each) => s.fieldsOf(reasonSchema, each)),
    disturbedLoads: exclusions.disturbed.nLoads,
    warnings: [...warnings],
  };
}

/** JSON with one line per entry of a list: small, and with readable diffs. */
function linesOf(result: PartResult): string {
  const fields = Object.entries(result).map(([name, value]) => {
    const json = Array.isArray(value)
      ? `[\n${value.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n ]`
      : JSON.stringify(value);
    return ` ${JSON.stringify(name)}: ${json}`;
  });
  return `{\n${fields.join(',\n')}\n}`;
}
