import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CalibrationRecord } from './calibration.ts';
import type { PageLoad } from './page-load.ts';
import {
  problemOfCalibration,
  problemOfPageLoad,
  problemOfRun,
  problemOfSitting,
} from './problems.ts';
import type { RunRecord } from './run.ts';
import { runFolder } from './run-folder.ts';
import type { SittingRecord } from './sitting.ts';

/** A run's folder cannot be used; the message names the file, the place in it and what to do. */
export class DamagedRunError extends Error {
  override name = 'DamagedRunError';
}

/** What page-loads.jsonl holds. */
export interface PageLoadsRead {
  /** In the order of the file, which is the order actually run. */
  pageLoads: PageLoad[];
  /** What the reader of a report has to know, as sentences; empty for a run that ended well. */
  warnings: string[];
}

/** What calibrations.jsonl holds. */
export interface CalibrationsRead {
  /** In the order of the file, which is the order measured. */
  calibrations: CalibrationRecord[];
  warnings: string[];
}

/**
 * Reads and checks run.json of a run's folder.
 * @throws DamagedRunError when the file is missing, is not JSON or breaks the format.
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const file = runFolder(folder).run;
  const run = parse(await readText(file));
  if (run === undefined) throw new DamagedRunError(`${file} is not valid JSON. ${REMEDY}`);
  const problem = problemOfRun(run);
  if (problem) throw new DamagedRunError(`${file}: ${problem}. ${REMEDY}`);
  return run as RunRecord;
}

/**
 * Reads and checks page-loads.jsonl of a run's folder. A last line that was cut while it was written (the run was
 * killed) is left out with a warning; any other damage is an error.
 * @throws DamagedRunError when the file is missing, a line is not JSON or breaks the format, or an id stands twice.
 */
export async function readPageLoads(folder: string): Promise<PageLoadsRead> {
  const file = runFolder(folder).pageLoads;
  const { records, warnings } = readLines(file, await readText(file), {
    problemOf: problemOfPageLoad,
    noun: 'page load',
  });
  const lineOfId = new Map<string, number>();
  for (const { line, record } of records) {
    const { id } = record as PageLoad;
    const before = lineOfId.get(id);
    if (before !== undefined) {
      throw new DamagedRunError(
        `${file}, line ${line}: id ${id} stands on line ${before} already. ${REMEDY}`,
      );
    }
    lineOfId.set(id, line);
  }
  return { pageLoads: records.map(({ record }) => record as PageLoad), warnings };
}

/**
 * Reads and checks calibrations.jsonl of a run's folder, with the same mercy for a cut last line. No page load depends on
 * it: without the file there are no calibrations, and a warning.
 * @throws DamagedRunError when a line is not JSON or breaks the format.
 */
export async function readCalibrations(folder: string): Promise<CalibrationsRead> {
  const file = runFolder(folder).calibrations;
  const text = await readText(file).catch((error: unknown) => {
    if (error instanceof MissingFileError) return null;
    throw error;
  });
  if (text === null) {
    return {
      calibrations: [],
      warnings: [
        `${path.basename(file)} is missing: what the path between browser and servers was measured to be is not known.`,
      ],
    };
  }
  const { records, warnings } = readLines(file, text, {
    problemOf: problemOfCalibration,
    noun: 'calibration',
  });
  return { calibrations: records.map(({ record }) => record as CalibrationRecord), warnings };
}

/**
 * Reads and checks sittings.jsonl of a run's folder, with the same mercy for a cut last line.
 * @throws DamagedRunError when the file is missing, or a line is not JSON or breaks the format.
 */
export async function readSittings(folder: string): Promise<SittingRecord[]> {
  const file = runFolder(folder).sittings;
  const { records } = readLines(file, await readText(file), {
    problemOf: problemOfSitting,
    noun: 'sitting',
  });
  return records.map(({ record }) => record as SittingRecord);
}

const REMEDY = 'Restore the file from a copy, or run the benchmark again.';

class MissingFileError extends DamagedRunError {}

/** One JSON object on each line, checked; the noun is what a line holds. */
function readLines(
  file: string,
  text: string,
  { problemOf, noun }: { problemOf: (record: unknown) => string | null; noun: string },
): { records: { line: number; record: unknown }[]; warnings: string[] } {
  const lines = text.split('\n');
  // Every whole line ends with a line feed, so what follows the last one is empty or was cut.
  const rest = lines.pop() ?? '';
  const warnings: string[] = [];
  if (rest.trim() !== '') {
    if (parse(rest) === undefined) {
      warnings.push(
        `Line ${lines.length + 1} of ${path.basename(file)} was cut in the middle: the run was interrupted while writing it. That ${noun} is left out.`,
      );
    } else {
      lines.push(rest);
    }
  }
  const records: { line: number; record: unknown }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const where = `${file}, line ${index + 1}`;
    const record = parse(line);
    if (record === undefined) throw new DamagedRunError(`${where} is not valid JSON. ${REMEDY}`);
    const problem = problemOf(record);
    if (problem) throw new DamagedRunError(`${where}: ${problem}. ${REMEDY}`);
    records.push({ line: index + 1, record });
  }
  return { records, warnings };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new MissingFileError(
        `${file} is missing. Expected the folder of a run, for example results/latest.`,
      );
    }
    throw new DamagedRunError(`${file} cannot be read: ${message}`);
  }
}

/** The JSON value, or undefined when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
