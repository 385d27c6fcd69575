import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { readRun } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFile, readPlainText } from '../../ground/system/plain-file.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { keptFiles } from '../../runner/kept-files.ts';
import { mergeRuns } from '../../runner/merge/merge.ts';
import type { Part } from './parts.ts';

/** The raw records of all parts, packed: a folder for each, with the HARs of median loads in `har`. */
const RECORDS = path.join(import.meta.dirname, 'records');

/** As `sha256sum -c` reads it. */
const CHECKSUMS = path.join(RECORDS, 'SHA256SUMS');

const PACKED = ['run.json', 'invocations.jsonl', 'calibrations.jsonl', pageLoad.recordFile];

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
 * Merges the sittings of a part, and packs its records with the HARs of the median loads.
 * @throws UsageError, DamagedRunError as mergeRuns() does
 */
export async function packPart({ name }: Part, sittings: readonly string[]): Promise<void> {
  const packed = path.join(RECORDS, name);
  await rm(packed, { recursive: true, force: true });
  await mkdir(packed, { recursive: true });
  await withTemporaryFolder('by-hand', async (temporary) => {
    const merged = path.join(temporary, name);
    await mergeRuns(
      sittings.map((sitting) => path.join(sitting, name)),
      merged,
    );
    for (const name of PACKED) {
      const content = await readPlainFile(path.join(merged, name));
      await writeFile(path.join(packed, `${name}.zst`), zstdCompressSync(content, COMPRESSION));
    }
    await packHars(merged, path.join(packed, 'har'));
  });
}

/** Keeps the HARs of the medians over all sittings. */
async function packHars(merged: string, packed: string): Promise<void> {
  const run = await readRun(merged);
  if (run.choices.hars === 'none') return;
  const ofMedians = { ...run, choices: { ...run.choices, hars: 'median' } } as const;
  await keptFiles(merged, ofMedians).readMade();
  await mkdir(packed);
  const { har } = runFolder(merged);
  for (const name of await readdir(har))
    await copyFile(path.join(har, name), path.join(packed, name));
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

/** Unpacks the records of a part to a folder of a run, and uses it; null: the part has no records. */
export async function withRecords<T>(
  { name }: Part,
  use: (run: string) => Promise<T>,
): Promise<T | null> {
  const packed = path.join(RECORDS, name);
  if (!existsSync(packed)) return null;
  return withTemporaryFolder('by-hand', async (temporary) => {
    for (const name of PACKED) {
      const content = await readPlainFile(path.join(packed, `${name}.zst`));
      await writeFile(path.join(temporary, name), unpack(content, 'zstd', MOST_BYTES));
    }
    return use(temporary);
  });
}
