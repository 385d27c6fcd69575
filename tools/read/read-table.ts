import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../../cache/verification.ts';
import type { ReadRow, ReadTable } from '../../experiments/reading.ts';
import { readingOf } from '../../experiments/reading-of.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { INTERFERENCE_RULE } from '../../ground/host/interference-rule.ts';
import { OPTION_DEFAULTS } from '../../ground/options/defaults.ts';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { CONNECTION_TRANSPORT_NAMES } from '../../ground/records/connection-transport.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type {
  PlannedArm,
  PlannedSubject,
  RunChoices,
  RunRecord,
  Trial,
} from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { unknownEnds } from '../../ground/records/unknown-ends.ts';
import { assertNew } from '../../ground/system/assert-new.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { unfinishedName } from '../../ground/system/unfinished-name.ts';
import { withLines } from '../../runner/record-lines.ts';

/** Seed of all random choices of the analysis: the same file gives the same report. */
const SEED = 1;

/** Placeholders: how the rows were measured is not known, as the description of `read` states. */
const CHOICES: RunChoices = {
  origins: 'own',
  certificateChain: 'small',
  pinned: null,
  deterministicPages: 'none',
  thinkTime: 'off',
  isolation: 'process',
  initialWindowSegments: null,
  subResources: 'served',
  document: 'recorded',
  tlsMost: '1.3',
  mtuBytes: OPTION_DEFAULTS.mtuBytes,
  offloads: 'off',
  receiveBufferBytes: null,
  order: 'sequential',
  keepSecrets: false,
  hars: 'none',
  compressHars: false,
};

/**
 * Converts a published table to a run's folder. Every row becomes an attempt. Creates the folder completely or not at all.
 * @throws UsageError if the experiment cannot read the table; for a row, with its line
 */
export async function readTable(
  experiment: Experiment,
  file: string,
  out: string,
): Promise<RunRecord> {
  assertNew(out);
  const unfinished = unfinishedName(out);
  try {
    await mkdir(path.dirname(out), { recursive: true });
    // Fails if the folder exists.
    await mkdir(unfinished);
    const run = await writeRead(experiment, file, unfinished, path.basename(out));
    await rename(unfinished, out);
    return run;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeRead(
  experiment: Experiment,
  file: string,
  out: string,
  runId: string,
): Promise<RunRecord> {
  const files = runFolder(out);
  const { open } = await readingOf(experiment);
  const table = await open(file);
  const run = await planOf(experiment, file, table, runId);
  await writeFileAtomically(files.run, `${JSON.stringify(run, null, 1)}\n`);
  await withLines(files.calibrations, async () => {});
  const begun = new Map<string, string>();
  await withLines(path.join(out, run.recordFile), async (write) => {
    for await (const row of attemptsIn(table)) {
      const attempt = observationOf(experiment, row);
      const first = begun.get(attempt.invocation);
      if (first === undefined || attempt.startedAt < first) {
        begun.set(attempt.invocation, attempt.startedAt);
      }
      await write(attempt);
    }
  });
  await withLines(files.invocations, async (write) => {
    for (const [id, startedAt] of begun) await write(invocationOf(run, id, startedAt));
  });
  return run;
}

/** Its id is also that of a trial. */
type NumberedRow = ReadRow & { id: string; order: number };

async function* attemptsIn(table: ReadTable): AsyncGenerator<NumberedRow> {
  let order = 0;
  for await (const row of table.rows()) {
    order += 1;
    yield { ...row, id: row.id ?? `row-${order}`, order };
  }
}

/** A plan that matches the rows. */
async function planOf(
  { name, recordFile }: Experiment,
  file: string,
  table: ReadTable,
  runId: string,
): Promise<RunRecord> {
  const subjects = new Map<string, PlannedSubject>();
  const arms = new Map<string, PlannedArm>();
  const networks = new Map<string, RunRecord['networks'][number]>();
  const factors = new Map<string, Set<string>>();
  const trials: Trial[] = [];
  const ids = new Set<string>();
  let firstS = Number.POSITIVE_INFINITY;
  for await (const row of attemptsIn(table)) {
    const { id, subject, arm, network, block, warmup } = row;
    if (ids.has(id)) {
      throw new UsageError(
        `${file}: the id ${id.slice(0, 120)} is on several rows, expected on one.`,
      );
    }
    ids.add(id);
    if (!subjects.has(subject)) subjects.set(subject, subjectOf(row, file));
    if (!arms.has(arm.arm)) arms.set(arm.arm, arm);
    const known = networks.get(network.name) ?? network;
    networks.set(network.name, known);
    for (const [factor, value] of Object.entries(row.factors)) {
      factors.set(factor, (factors.get(factor) ?? new Set()).add(value));
    }
    firstS = Math.min(firstS, row.unixS);
    trials.push({
      id,
      subject,
      arm: arm.arm,
      network: known,
      networkSeed: 0,
      repetition: block,
      block,
      warmup,
      factors: row.factors,
    });
  }
  if (trials.length === 0) throw new UsageError(`${file} has a header but no rows.`);
  const startedAt = momentOf(firstS);
  const { metric, baseline, dialect } = table;
  const sha256 = await sha256Of(file);
  const ordered = inOrder([...arms.values()]);
  return {
    ...FORMAT,
    runId,
    experiment: name,
    recordFile,
    preset: null,
    startedAt,
    command: ['--read', path.basename(file)],
    seed: SEED,
    repetitions: trials.reduce((most, { block }) => Math.max(most, block), 0),
    timeoutS: OPTION_DEFAULTS.timeoutS,
    subjects: [...subjects.values()],
    arms: ordered,
    networks: [...networks.values()],
    factors: Object.fromEntries([...factors].map(([factor, values]) => [factor, [...values]])),
    choices: CHOICES,
    analysis: {
      baseline: arms.has(baseline) ? baseline : (ordered.at(-1)?.arm ?? ''),
      marginPercent: OPTION_DEFAULTS.marginPercent,
      metric,
    },
    interferenceRule: INTERFERENCE_RULE,
    trials,
    // The plan depends only on the file.
    planSha256: sha256,
    backend: 'read',
    fairness: unknownEnds('not read: the attempts were read from a file', startedAt),
    versions: {},
    host: null,
    read: {
      file: path.basename(file),
      sha256,
      dialect,
      rows: trials.length,
    },
  };
}

/** In the usual order of transports; files may shuffle them. */
function inOrder(arms: readonly PlannedArm[]): PlannedArm[] {
  const place = ({ transport }: PlannedArm) =>
    CONNECTION_TRANSPORT_NAMES.indexOf(transport ?? CONNECTION_TRANSPORT_NAMES[0]);
  return arms.toSorted((a, b) => place(a) - place(b));
}

function subjectOf({ subject, url }: ReadRow, file: string): PlannedSubject {
  return {
    subject,
    url,
    source: `A host named in ${path.basename(file)}.`,
    kind: 'host',
    hosts: 1,
    resources: 0,
    wireBytes: 0,
    manifestSha256: createHash('sha256').update(url).digest('hex'),
  };
}

/** Machine of files that name no machines. */
const ONE_MACHINE = 'not-known';

function observationOf(
  experiment: Experiment,
  { arm, network, measuredRttMs, unixS, machine, ...row }: NumberedRow,
): Observation {
  const { url: _, id, order, subject, factors, block, warmup, details, ...rest } = row;
  return {
    ...FORMAT,
    id,
    order,
    experiment: experiment.name,
    subject,
    arm: arm.arm,
    stack: arm.stack,
    protocol: arm.protocol,
    network: { ...network, backend: 'read', measuredRttMs },
    factors,
    repetition: block,
    block,
    warmup,
    client: null,
    ...rest,
    path: null,
    connections: null,
    machine: null,
    disturbed: null,
    stepsMs: {},
    files: {},
    startedAt: momentOf(unixS),
    attempt: 1,
    invocation: machine ?? ONE_MACHINE,
    details,
  };
}

function invocationOf(run: RunRecord, id: string, startedAt: string): InvocationRecord {
  return {
    ...FORMAT,
    id,
    machine: id,
    startedAt,
    command: run.command,
    part: null,
    host: null,
    versions: {},
    backend: 'read',
    differences: [],
  };
}

function momentOf(unixS: number): string {
  return new Date(unixS * 1000).toISOString();
}
