import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { PageLoad } from '../records/page-load.ts';
import { DamagedRunError, eachCalibration, eachPageLoad } from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import type { SittingRecord } from '../records/sitting.ts';
import { checksOfRun } from '../report/assert-of-this-run.ts';
import { MergeError } from './errors.ts';
import { bringHar } from './hars.ts';
import { inOrder } from './in-order.ts';
import { type WriteLine, withLines } from './lines-file.ts';
import { type Part, readParts } from './parts.ts';

/** What was joined. */
export interface Merged {
  loads: number;
  machines: string[];
  /** What a user should know of the parts, as sentences. */
  notes: string[];
}

/**
 * Joins the parts of one run, done by several machines or workers, into a new folder. Nothing is changed in the parts, and
 * the new folder is there whole or not at all.
 * @throws MergeError, DamagedRunError
 */
export async function mergeRuns(folders: readonly string[], out: string): Promise<Merged> {
  if (existsSync(out)) {
    throw new MergeError(
      `--out ${out} exists; results are never overwritten. Name another folder, or remove this one.`,
    );
  }
  const parts = await readParts(folders);
  const beside = `${out}.unfinished-${process.pid}`;
  try {
    const merged = await writeMerged(parts, beside);
    await rename(beside, out);
    return merged;
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}

async function writeMerged(parts: readonly [Part, ...Part[]], out: string): Promise<Merged> {
  const files = runFolder(out);
  for (const folder of [files.har, files.logs, files.parts]) {
    await mkdir(folder, { recursive: true });
  }
  const notes: string[] = [];
  await copyFile(runFolder(parts[0].folder).run, files.run);
  await bringParts(parts, files.parts);
  const sittings = parts.flatMap((part) => part.sittings).sort(byStart);
  await withLines(files.sittings, async (write) => {
    for (const sitting of sittings) await write(sitting);
  });
  await withLines(files.calibrations, (write) => joinCalibrations(parts, notes, write));
  const loads = await withLines(files.pageLoads, (write) => joinLoads(parts, out, notes, write));
  return { loads, machines: [...new Set(sittings.map(({ machine }) => machine))], notes };
}

function byStart(a: SittingRecord, b: SittingRecord): number {
  return Date.parse(a.startedAt) - Date.parse(b.startedAt);
}

/** run.json and the logs of each part, in a folder with the name of its machine. */
async function bringParts(parts: readonly Part[], target: string): Promise<void> {
  for (const { folder, sittings } of parts) {
    const from = runFolder(folder);
    const to = runFolder(path.join(target, unusedName(target, sittings[0]?.machine ?? 'machine')));
    await mkdir(to.folder);
    await copyFile(from.run, to.run);
    if (existsSync(from.logs)) await cp(from.logs, to.logs, { recursive: true });
    // Of a part that was merged before.
    if (existsSync(from.parts)) await cp(from.parts, to.parts, { recursive: true });
  }
}

/** A machine's name as that of a folder: a record could hold any text, and a machine can have several parts. */
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
  const checks = parts.map(({ run, sittings }) => checksOfRun(run, sittings));
  const sequences = parts.map(({ folder }) => eachCalibration(folder, noteOf(notes, folder)));
  for await (const { item, from } of inOrder(sequences, ({ measuredAt }) => measuredAt)) {
    checked(parts, from, () => checks[from]?.calibration(item));
    await write(item);
  }
}

/** All loads in the order of their starts, numbered anew. Gives their number. */
async function joinLoads(
  parts: readonly Part[],
  out: string,
  notes: string[],
  write: WriteLine,
): Promise<number> {
  const checks = parts.map(({ run, sittings }) => checksOfRun(run, sittings));
  const sequences = parts.map(({ folder }) => eachPageLoad(folder, noteOf(notes, folder)));
  const folderOfId = new Map<string, string>();
  const missingHars = new Map<string, number>();
  let order = 0;
  for await (const { item: load, from } of inOrder(sequences, ({ startedAt }) => startedAt)) {
    const folder = parts[from]?.folder ?? '';
    checked(parts, from, () => checks[from]?.load(load));
    const { id, har } = namesInMerged(load, folder, folderOfId);
    folderOfId.set(id, folder);
    if (load.har !== null && har !== null) {
      const found = await bringHar({ folder, har: load.har }, { folder: out, har });
      if (!found) missingHars.set(folder, (missingHars.get(folder) ?? 0) + 1);
    }
    order += 1;
    await write({ ...load, id, order, har });
  }
  for (const [folder, count] of missingHars) {
    // Where not all are kept, those that are not there are none that got lost.
    if (parts[0]?.run.choices.hars === 'all') notes.push(`${folder}: HARs missing: ${count}.`);
  }
  return order;
}

/**
 * The id of a load in the merged run, and the path of its HAR, which has the same name. Every sitting warms its servers up, so
 * that the same warm-up may be there several times: the later ones have the id of their sitting behind it.
 * @throws MergeError when a load was measured twice
 */
function namesInMerged(
  load: PageLoad,
  folder: string,
  folderOfId: ReadonlyMap<string, string>,
): Pick<PageLoad, 'id' | 'har'> {
  if (!folderOfId.has(load.id)) return { id: load.id, har: load.har };
  const id = `${load.id}@${load.sitting}`;
  if (load.warmup && !folderOfId.has(id)) {
    return { id, har: load.har?.replace(load.id, () => id) ?? null };
  }
  throw new MergeError(
    `${folder} and ${folderOfId.get(load.id)} overlap: load ${load.id} was measured in both. Parts of a run have no load in common (--shard I/N of one plan, or one queue): leave one of them out.`,
  );
}

/** Says which folder a record is of that is none of its run. */
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
