import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { experimentOf } from '../../experiments/index.ts';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { modesOf } from '../../ground/records/private-files.ts';
import { eachCalibration, eachObservation } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { assertNew } from '../../ground/system/assert-new.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { unfinishedName } from '../../ground/system/unfinished-name.ts';
import { checksOfRun } from '../../report/summary/record-checks.ts';
import { keptKinds } from '../kept-files.ts';
import { type WriteLine, withLines } from '../record-lines.ts';
import { bringFile } from './bring-file.ts';
import { inOrder } from './in-order.ts';
import { type Part, readParts } from './parts.ts';

interface MergeResult {
  loads: number;
  machines: string[];
  /** Notes on the parts, as sentences. */
  notes: string[];
}

/**
 * Merges the parts of one run, made by several machines or workers, into a new folder. The parts are not changed, and the new
 * folder is complete or does not exist.
 * @throws UsageError, DamagedRunError
 */
export async function mergeRuns(folders: readonly string[], out: string): Promise<MergeResult> {
  assertNew(out);
  const parts = await readParts(folders);
  const unfinished = unfinishedName(out);
  try {
    const merged = await writeMerged(parts, unfinished);
    await rename(unfinished, out);
    return merged;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeMerged(parts: readonly [Part, ...Part[]], out: string): Promise<MergeResult> {
  const files = runFolder(out);
  await mkdir(path.dirname(out), { recursive: true });
  // Fails if the folder exists.
  await mkdir(out);
  for (const folder of [files.har, files.logs, files.parts]) {
    await mkdir(folder, { mode: modesOf(folder).folder });
  }
  const notes: string[] = [];
  // Rewritten, as it may have an older format.
  await writeFileAtomically(files.run, `${JSON.stringify(parts[0].run, null, 2)}\n`);
  const { traces } = runFolder(parts[0].folder);
  if (existsSync(traces)) await cp(traces, files.traces, { recursive: true });
  await bringParts(parts, files.parts);
  const invocations = parts.flatMap((part) => part.invocations).sort(byStart);
  await withLines(files.invocations, async (write) => {
    for (const invocation of invocations) await write(invocation);
  });
  await withLines(files.calibrations, (write) => joinCalibrations(parts, notes, write));
  const loads = await withLines(path.join(out, experimentOf(parts[0].run).recordFile), (write) =>
    joinLoads(parts, out, notes, write),
  );
  return { loads, machines: [...new Set(invocations.map(({ machine }) => machine))], notes };
}

function byStart(a: InvocationRecord, b: InvocationRecord): number {
  return Date.parse(a.startedAt) - Date.parse(b.startedAt);
}

/** Copies run.json, the logs and the NetLogs of each part into a folder named after its machine. */
async function bringParts(parts: readonly Part[], target: string): Promise<void> {
  for (const { folder, invocations } of parts) {
    const from = runFolder(folder);
    const to = runFolder(
      path.join(target, unusedName(target, invocations[0]?.machine ?? 'machine')),
    );
    await mkdir(to.folder);
    await copyFile(from.run, to.run);
    if (existsSync(from.logs)) await cp(from.logs, to.logs, { recursive: true });
    if (existsSync(from.netLog)) {
      await mkdir(to.netLog, { mode: modesOf(to.netLog).folder });
      await cp(from.netLog, to.netLog, { recursive: true });
    }
    // A part may be merged itself.
    if (existsSync(from.parts)) await cp(from.parts, to.parts, { recursive: true });
  }
}

/** Folder name for a machine: a record may contain any text, and a machine can have several parts. */
function unusedName(folder: string, machine: string): string {
  const name = machine.replaceAll(/[^\w.-]|^\.+/g, '_').slice(0, 80);
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(path.join(folder, numbered))) return numbered;
  }
}

async function joinCalibrations(
  parts: readonly Part[],
  notes: string[],
  write: WriteLine,
): Promise<void> {
  const checks = parts.map(({ run, invocations }) => checksOfRun(run, invocations));
  const sequences = parts.map(({ folder }) => eachCalibration(folder, noteOf(notes, folder)));
  for await (const { item, from } of inOrder(sequences, ({ measuredAt }) => measuredAt)) {
    checked(parts, from, () => checks[from]?.calibration(item));
    await write(item);
  }
}

/** Writes all loads in the order of their starts, renumbered. Returns their number. */
async function joinLoads(
  parts: readonly [Part, ...Part[]],
  out: string,
  notes: string[],
  write: WriteLine,
): Promise<number> {
  const checks = parts.map(({ run, invocations }) => checksOfRun(run, invocations));
  const sequences = parts.map(({ folder, run }) =>
    eachObservation(folder, experimentOf(run), noteOf(notes, folder)),
  );
  const folderOfId = new Map<string, string>();
  const missing: { folder: string; kind: string }[] = [];
  let order = 0;
  for await (const { item: load, from } of inOrder(sequences, ({ startedAt }) => startedAt)) {
    const folder = parts[from]?.folder ?? '';
    checked(parts, from, () => checks[from]?.load(load));
    const { id, files } = namesInMerged(load, folder, folderOfId);
    folderOfId.set(id, folder);
    for (const [kind, file] of Object.entries(files)) {
      const from = { folder, file: load.files[kind] ?? file };
      if (!(await bringFile(from, { folder: out, file }))) missing.push({ folder, kind });
    }
    order += 1;
    await write({ ...load, id, order, files });
  }
  const { choices } = parts[0].run;
  for (const [kind, kept] of Object.entries(keptKinds(choices))) {
    // A missing file is only lost when all files are kept.
    const lost = missing.filter((each) => kept === 'all' && each.kind === kind);
    for (const [folder, own] of Map.groupBy(lost, (each) => each.folder)) {
      notes.push(`${folder}: files missing (${kind}): ${own.length}.`);
    }
  }
  return order;
}

/**
 * Id of a load in the merged run, and the paths of its files, which follow the id. Every invocation warms its servers up, so the same
 * warm-up may occur several times: later ones get the id of their invocation as a suffix.
 * @throws UsageError when a load was measured twice
 */
function namesInMerged(
  load: Observation,
  folder: string,
  folderOfId: ReadonlyMap<string, string>,
): Pick<Observation, 'id' | 'files'> {
  if (!folderOfId.has(load.id)) return { id: load.id, files: load.files };
  const id = `${load.id}@${load.invocation}`;
  if (load.warmup && !folderOfId.has(id)) {
    const renamed = Object.entries(load.files).map(([kind, file]) => [
      kind,
      file.replace(load.id, () => id),
    ]);
    return { id, files: Object.fromEntries(renamed) };
  }
  throw new UsageError(
    `${folder} and ${folderOfId.get(load.id)} overlap: load ${load.id} was measured in both. Parts of a run have no load in common (--shard I/N of one plan, or one queue): omit one of them.`,
  );
}

/** Adds the folder to the error of a record that does not belong to its run. */
function checked(parts: readonly Part[], from: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new DamagedRunError(`${parts[from]?.folder}: ${(error as Error).message}`);
  }
}

function noteOf(notes: string[], folder: string) {
  return (sentence: string) => void notes.push(`${folder}: ${sentence}`);
}
