import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { readRun } from '../../ground/records/read.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFile, readPlainText } from '../../ground/system/plain-file.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { keptFiles } from '../../runner/kept-files.ts';
import { mergeRuns } from '../../runner/merge/merge.ts';
import { type Part, SITTING_NUMBERS } from './parts.ts';
import { planOf } from './plans.ts';

/** The raw records, packed: a folder for each part, in it one for each sitting, and `har` for the HARs of median loads. */
const RECORDS = path.join(import.meta.dirname, 'records');

/** As `sha256sum -c` reads it. */
const CHECKSUMS = path.join(RECORDS, 'SHA256SUMS');

/** Of each sitting, besides run.json. */
const PACKED = ['invocations.jsonl', 'calibrations.jsonl', pageLoad.recordFile];

/** What run.json has besides the frozen plan. */
const BESIDES_PLAN = 'besides-plan.json';

/** More than the largest file of records. */
const MOST_BYTES = 256_000_000;

/** Slow to write and small; every reader of this format has the window. */
const COMPRESSION = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  },
};

/**
 * Packs the records of a part's sitting.
 * @param run its folder
 * @throws DamagedRunError if it has another plan than the frozen one
 */
export async function packSitting(part: Part, sitting: number, run: string): Promise<void> {
  const packed = sittingFolder(part, sitting);
  await mkdir(packed, { recursive: true });
  const pack = (name: string, content: string | Buffer) =>
    writeFile(path.join(packed, `${name}.zst`), zstdCompressSync(content, COMPRESSION));
  const files = runFolder(run);
  const text = await readPlainText(files.run);
  const plan = planOf(part);
  const besides = Object.fromEntries(
    Object.entries(JSON.parse(text)).filter(([field]) => !(field in plan)),
  );
  if (text !== runText(plan, besides)) {
    throw new DamagedRunError(`${files.run} has another plan than the frozen one of ${part.name}.`);
  }
  await pack(BESIDES_PLAN, JSON.stringify(besides));
  for (const name of PACKED) await pack(name, await readPlainFile(path.join(run, name)));
}

function sittingFolder({ name }: Part, sitting: number): string {
  return path.join(RECORDS, name, String(sitting));
}

function runText(plan: PlanRecord, besides: object): string {
  return `${JSON.stringify({ ...plan, ...besides }, null, 2)}\n`;
}

/**
 * Packs the HARs of a part's loads that are medians over some sittings.
 * @param runs the folders of these sittings
 */
export async function packHars({ name }: Part, runs: readonly string[]): Promise<void> {
  await withTemporaryFolder('by-hand', async (temporary) => {
    const merged = path.join(temporary, name);
    await mergeRuns(runs, merged);
    const run = await readRun(merged);
    if (run.choices.hars === 'none') return;
    const ofMedians = { ...run, choices: { ...run.choices, hars: 'median' } } as const;
    const kept = keptFiles(merged, ofMedians);
    await kept.readMade();
    await kept.endAsItIs();
    const packed = path.join(RECORDS, name, 'har');
    await rm(packed, { recursive: true, force: true });
    await cp(runFolder(merged).har, packed, { recursive: true });
  });
}

/** Writes the list of checksums of all packed files. */
export async function writeChecksums(): Promise<void> {
  const lines = (await packedFiles()).map(async (file) => `${await checksumOf(file)}  ${file}\n`);
  await writeFile(CHECKSUMS, (await Promise.all(lines)).join(''));
}

/** @throws DamagedRunError for a file that differs from the list, or is in one of the two alone */
export async function assertChecksums(): Promise<void> {
  const listed = (await readPlainText(CHECKSUMS)).trimEnd().split('\n');
  const found = await Promise.all(
    (await packedFiles()).map(async (file) => `${await checksumOf(file)}  ${file}`),
  );
  const differing = [...found, ...listed]
    .filter((line) => !found.includes(line) || !listed.includes(line))
    .map((line) => line.slice(66));
  if (differing.length === 0) return;
  throw new DamagedRunError(
    `${RECORDS} and its SHA256SUMS differ in ${[...new Set(differing)].join(', ')}. Restore them with git.`,
  );
}

/** Relative to the folder of records. */
async function packedFiles(): Promise<string[]> {
  const entries = await readdir(RECORDS, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(RECORDS, path.join(parentPath, name)))
    .filter((file) => file !== path.basename(CHECKSUMS))
    .toSorted();
}

async function checksumOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readPlainFile(path.join(RECORDS, file)))
    .digest('hex');
}

/** Unpacks and merges the sittings of a part, and uses the merged run; null: some sittings are missing. */
export async function withRecords<T>(
  part: Part,
  plan: PlanRecord,
  use: (run: string) => Promise<T>,
): Promise<T | null> {
  const packed = SITTING_NUMBERS.map((sitting) => sittingFolder(part, sitting));
  if (!packed.every((folder) => existsSync(folder))) return null;
  return withTemporaryFolder('by-hand', async (temporary) => {
    const runs = packed.map((folder) => path.join(temporary, path.basename(folder)));
    for (const [index, run] of runs.entries()) await unpackSitting(plan, packed[index] ?? '', run);
    const merged = path.join(temporary, part.name);
    await mergeRuns(runs, merged);
    return use(merged);
  });
}

async function unpackSitting(plan: PlanRecord, packed: string, run: string): Promise<void> {
  const unpacked = async (name: string) =>
    unpack(await readPlainFile(path.join(packed, `${name}.zst`)), 'zstd', MOST_BYTES);
  await mkdir(run);
  const besides = JSON.parse((await unpacked(BESIDES_PLAN)).toString());
  await writeFile(runFolder(run).run, runText(plan, besides));
  for (const name of PACKED) await writeFile(path.join(run, name), await unpacked(name));
}
