import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { invocationSchema } from '../../ground/records/invocation.ts';
import { networkConditionSchema } from '../../ground/records/network.ts';
import { runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { schemaCheck } from '../../ground/records/schema-check.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { versionTexts } from '../../kit/text/versions.ts';
import { comparisonSchema, primaryAnswerSchema } from '../../report/summary/comparison.ts';
import type { MeasuredRun } from '../../report/summary/measured-run.ts';
import { readRunOfSeries } from '../run-of-series.ts';
import { PARTS, type Part, SERIES } from './parts.ts';

const RESULT_FORMAT_VERSION = 2;

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

const reasonSchema = s.object(
  {
    outcome: s.text('failed or invalid.'),
    code: s.text('The reason, in one word.'),
    count: s.count('Loads.'),
  },
  'Why loads did not count.',
);

const resultSchema = s.object(
  {
    formatVersion: s.constant(RESULT_FORMAT_VERSION, 'The version of this format.'),
    part: s.name('Name of the part.'),
    runId,
    plannedAt: s.moment('When its plan was frozen.'),
    startedAt: s.moment('When its measurement began.'),
    lastLoadAt: s.moment('When its last load began.'),
    planSha256,
    seed,
    repetitions,
    metric: s.name('Metric of the verdicts.'),
    marginPercent: s.number('Differences within this many percent count as equal.'),
    host,
    versions,
    arms: s.list(armSchema, 'In the order of the plan.'),
    subjects: s.list(subjectSchema, 'In the order of the plan.'),
    networks: s.list(networkConditionSchema, 'In the order of the plan.'),
    answers: s.list(primaryAnswerSchema, 'All primary answers of the run.'),
    pages: s.list(pageSchema, 'In the order of the plan.'),
    loads: s.list(loadSchema, 'In the order of the plan.'),
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

export function resultsOfSeries(folder: string): string {
  return path.join(folder, 'results');
}

/**
 * Writes the result of every completely measured part.
 * @returns the state of each part, in the order of the parts
 * @throws DamagedRunError for a damaged run, or one of another part
 */
export async function writeResults(folder: string): Promise<{ part: Part; state: string }[]> {
  const results = resultsOfSeries(folder);
  await mkdir(results, { recursive: true });
  const states = [];
  for (const part of PARTS) {
    const found = await readRunOfSeries({ name: SERIES }, part, folder);
    if (found.state === 'measured') {
      const { measured, invocations } = found;
      const [first] = invocations;
      if (!first)
        throw new DamagedRunError(
          `The run of ${part.name} in ${folder} does not say which machine measured it.`,
        );
      const programs = { host: first.host, versions: versionTexts(first) };
      const result = { ...resultOfRun(part, measured), ...programs };
      await writeFileAtomically(path.join(results, `${part.name}.json`), `${linesOf(result)}\n`);
    }
    states.push({ part, state: found.state });
  }
  return states;
}

/** The documented part of a summary. */
function resultOfRun(
  { name: part }: Part,
  { run, observations, summary }: MeasuredRun,
): Omit<PartResult, 'host' | 'versions'> {
  const { analysis, exclusions, primary, comparisons, rows, warnings } = summary;
  return {
    formatVersion: RESULT_FORMAT_VERSION,
    part,
    runId: run.runId,
    plannedAt: run.startedAt,
    startedAt: summary.startedAt,
    lastLoadAt:
      observations
        .map(({ startedAt }) => startedAt)
        .toSorted()
        .at(-1) ?? summary.startedAt,
    planSha256: run.planSha256,
    seed: run.seed,
    repetitions: run.repetitions,
    metric: analysis.metric,
    marginPercent: analysis.marginPercent,
    arms: run.arms.map((each) => s.fieldsOf(armSchema, each)),
    subjects: run.subjects.map((each) => s.fieldsOf(subjectSchema, each)),
    networks: [...run.networks],
    answers: [...primary],
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
