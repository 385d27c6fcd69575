import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DamagedRunError } from '../../../records/damaged-run.ts';
import { problemOfVersion } from '../../../records/problems.ts';
import { schemaCheck } from '../../../records/schema-check.ts';
import ladderSchema from '../../../records/schemas/ladder.schema.json' with { type: 'json' };
import { writeWhole } from '../../../records/whole-file.ts';

/** The version of ladder.json that this code writes; results/README.md describes it. */
export const LADDER_FORMAT_VERSION = 1;

/** Round trips that the document needs by each protocol: set-up of the connection, where it is measured, and the request. */
export interface RoundTrips {
  quic: number;
  https: number;
}

/** One rung: a run that differs from that of the rung before in one thing. */
export interface LadderRung {
  name: string;
  title: string;
  /** What was changed, as sentences. */
  change: string;
  documentRoundTrips: RoundTrips;
  /** Of its run, below the ladder's folder. */
  folder: string;
}

/** What ladder.json holds: which runs make a ladder, in their order. Written before the first of them. */
export interface LadderRecord {
  formatVersion: typeof LADDER_FORMAT_VERSION;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** The options as given by the user. */
  command: string[];
  rungs: LadderRung[];
}

/** Where everything of a ladder lies below its folder. */
export function ladderFolder(folder: string) {
  return {
    folder,
    ladder: path.join(folder, 'ladder.json'),
    summaryJson: path.join(folder, 'ladder-summary.json'),
    page: path.join(folder, 'ladder.html'),
  };
}

/** The record of a ladder, with a folder of its own for each rung. */
export function ladderRecord(
  { startedAt, command }: Pick<LadderRecord, 'startedAt' | 'command'>,
  rungs: readonly Omit<LadderRung, 'folder'>[],
): LadderRecord {
  return {
    formatVersion: LADDER_FORMAT_VERSION,
    startedAt,
    command: [...command],
    rungs: rungs.map(({ name, title, change, documentRoundTrips }, index) => ({
      ...{ name, title, change, documentRoundTrips },
      folder: `${String(index).padStart(2, '0')}-${name}`,
    })),
  };
}

/** The preset that the run of a rung has in its run.json. */
export function presetOfRung({ name }: Pick<LadderRung, 'name'>): string {
  return `ladder/${name}`;
}

/** Writes ladder.json, whole or not at all. */
export async function writeLadderRecord(folder: string, record: LadderRecord): Promise<void> {
  await writeWhole(ladderFolder(folder).ladder, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Reads and checks ladder.json of a ladder's folder.
 * @throws DamagedRunError when the file is missing, is not JSON or breaks the format.
 */
export async function readLadderRecord(folder: string): Promise<LadderRecord> {
  const file = ladderFolder(folder).ladder;
  const remedy = 'Restore the file from a copy, or make the ladder again.';
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DamagedRunError(
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `${file} is missing. Expected the folder of a ladder, as \`npm run benchmark -- --preset ladder\` makes it.`
        : `${file} cannot be read: ${error.message}`,
    );
  });
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    throw new DamagedRunError(`${file} is not valid JSON. ${remedy}`);
  }
  const problem = problemOfLadder(record);
  if (problem) throw new DamagedRunError(`${file}: ${problem}. ${remedy}`);
  return record as LadderRecord;
}

const schemaProblemOfLadder = schemaCheck(ladderSchema);

/** The first thing wrong with ladder.json, or null: by its schema, and by what a schema cannot say. */
export function problemOfLadder(record: unknown): string | null {
  const problem = problemOfVersion(record, LADDER_FORMAT_VERSION) ?? schemaProblemOfLadder(record);
  if (problem) return problem;
  const { rungs } = record as LadderRecord;
  for (const field of ['name', 'folder'] as const) {
    const seen = new Set<string>();
    for (const [index, rung] of rungs.entries()) {
      if (seen.has(rung[field])) return `rungs[${index}].${field} is ${rung[field]} once more`;
      seen.add(rung[field]);
    }
  }
  return null;
}
