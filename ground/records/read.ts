import { existsSync } from 'node:fs';
import path from 'node:path';
import { TooLargeError } from '../system/bounded-buffer.ts';
import { reasonOf } from '../system/file-error.ts';
import { readPlainText, UnreadableFileError } from '../system/plain-file.ts';
import { assertPlainFolder } from '../system/plain-folder.ts';
import type { CalibrationRecord } from './calibration.ts';
import { DamagedRunError } from './damaged-run.ts';
import { fileLines } from './file-lines.ts';
import { inFolder } from './file-name.ts';
import type { InvocationRecord } from './invocation.ts';
import type { LookRecord } from './look.ts';
import type { Observation } from './observation.ts';
import { renameFields, type UncheckedRecord, upgradeFormat5, upgradePlan } from './older-format.ts';
import type { AttemptPackets } from './packets.ts';
import {
  problemOfCalibration,
  problemOfInvocation,
  problemOfLook,
  problemOfObservation,
  problemOfPackets,
  problemOfRun,
  WRITTEN_BY_ANOTHER,
} from './problems.ts';
import type { RunRecord } from './run.ts';
import { runFolder } from './run-folder.ts';
import type { TSchema } from './schema.ts';
import type { SchemaCheck } from './schema-check.ts';

/** Record file of an experiment, and its own fields. */
interface ObservationKind {
  /** Name of the file. */
  recordFile: string;
  /** Schema of `details`. */
  details: TSchema;
  /** Gives records of format 5 the fields of today; absent: the fields are the same. */
  upgrade?(record: UncheckedRecord): UncheckedRecord;
}

/**
 * Reads and checks run.json, after it has rejected a folder with links or special files. Every command that
 * works with a run begins with this.
 * @throws UsageError when the folder holds anything but files and folders
 * @throws DamagedRunError when the file is missing, is not JSON or violates the format
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const file = runFolder(folder).run;
  if (existsSync(file)) assertPlainFolder(folder);
  const run = upgradePlan(parse(await readText(file)));
  if (run === undefined) throw new DamagedRunError(`${file} is not valid JSON. ${REMEDY}`);
  const problem = problemOfRun(run);
  if (problem) throw new DamagedRunError(`${file}: ${withRemedy(problem)}`);
  return run as RunRecord;
}

/**
 * Reads and checks the attempts of a run. Skips a truncated last line, as of a killed run, with a warning.
 * @returns attempts in the order of execution, and warnings
 * @throws DamagedRunError when the file is missing, a line is not JSON or violates the format, or an id is not
 * unique
 */
export async function readObservations(folder: string, kind: ObservationKind) {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const observations = await Array.fromAsync(
    eachObservation(folder, kind, warn),
    deduplicateParts(),
  );
  return { observations, warnings };
}

/** Attempts at the same cell share equal parts, a third of the memory of large runs. */
function deduplicateParts(): (observation: Observation) => Observation {
  const latest = new Map<string, { json: string; part: unknown }>();
  const deduplicate = <Part>(place: string, part: Part): Part => {
    if (typeof part !== 'object' || part === null) return part;
    const json = JSON.stringify(part);
    const before = latest.get(place);
    if (before?.json === json) return before.part as Part;
    latest.set(place, { json, part });
    return part;
  };
  return (observation) => {
    const { subject, arm, network, factors, details } = observation;
    const place = `${subject} ${arm} ${network.name}`;
    observation.network = deduplicate(`${place} network`, network);
    observation.factors = deduplicate(`${place} factors`, factors);
    for (const [name, part] of Object.entries((details ?? {}) as Record<string, unknown>)) {
      (details as Record<string, unknown>)[name] = deduplicate(`${place} details ${name}`, part);
    }
    return observation;
  };
}

/** As readObservations() for runs of any size: keeps only the ids in memory. */
export async function* eachObservation(
  folder: string,
  { recordFile, details, upgrade }: ObservationKind,
  warn: Warn,
): AsyncGenerator<Observation> {
  const file = inFolder(folder, recordFile);
  const lineOfId = new Map<string, number>();
  const lines: LineKind = {
    problemOf: problemOfObservation(details),
    noun: 'attempt',
    upgrade: (record) => upgradeFormat5(record, upgrade),
  };
  for await (const { line, record } of eachRecord<Observation>(file, lines, warn)) {
    const before = lineOfId.get(record.id);
    if (before !== undefined) {
      throw new DamagedRunError(
        `${file}, line ${line}: id ${record.id} stands on line ${before} already. ${REMEDY}`,
      );
    }
    lineOfId.set(record.id, line);
    yield record;
  }
}

/**
 * Reads and checks calibrations.jsonl; skips a truncated last line. A missing file is only a warning, as no
 * attempt depends on it.
 * @throws DamagedRunError when a line is not JSON or violates the format
 */
export async function readCalibrations(folder: string) {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  return { calibrations: await Array.fromAsync(eachCalibration(folder, warn)), warnings };
}

/** As readCalibrations(), one by one. */
export async function* eachCalibration(
  folder: string,
  warn: Warn,
): AsyncGenerator<CalibrationRecord> {
  const file = runFolder(folder).calibrations;
  const lines = {
    problemOf: problemOfCalibration,
    noun: 'calibration',
    upgrade: upgradeCalibration,
  };
  try {
    for await (const { record } of eachRecord<CalibrationRecord>(file, lines, warn)) {
      yield record;
    }
  } catch (error) {
    if (!(error instanceof MissingFileError)) throw error;
    warn(
      `${path.basename(file)} is missing: measurements of the path between browser and servers are unknown.`,
    );
  }
}

/**
 * Reads and checks invocations.jsonl; skips a truncated last line.
 * @throws DamagedRunError when the file is missing, or a line is not JSON or violates the format
 */
export async function readInvocations(folder: string): Promise<InvocationRecord[]> {
  return readRecords(runFolder(folder).invocations, {
    problemOf: problemOfInvocation,
    noun: 'invocation',
  });
}

/**
 * Reads and checks looks.jsonl; skips a truncated last line. Empty without the file.
 * @throws DamagedRunError when a line is not JSON or violates the format
 */
export async function readLooks(folder: string): Promise<LookRecord[]> {
  const { looks } = runFolder(folder);
  if (!existsSync(looks)) return [];
  return readRecords(looks, {
    problemOf: problemOfLook,
    noun: 'look',
    upgrade: (record) => upgradeFormat5(record, upgradeLook),
  });
}

/**
 * Reads and checks packets.jsonl; skips a truncated last line. Empty without the file.
 * @throws DamagedRunError when a line is not JSON or violates the format
 */
export async function readPackets(folder: string): Promise<AttemptPackets[]> {
  const { packetRecords } = runFolder(folder);
  return existsSync(packetRecords)
    ? readRecords(packetRecords, { problemOf: problemOfPackets, noun: 'capture' })
    : [];
}

/** Receives warnings about files that remain readable. */
type Warn = (sentence: string) => void;

const REMEDY = 'Restore the file from a copy, or run the benchmark again.';

/** A file of another version is not damaged. */
function withRemedy(problem: string): string {
  return problem.endsWith(WRITTEN_BY_ANOTHER) ? `${problem}.` : `${problem}. ${REMEDY}`;
}

class MissingFileError extends DamagedRunError {}

interface LineKind {
  problemOf: SchemaCheck;
  noun: string;
  /** Gives an older record the fields of today. */
  upgrade?(record: unknown): unknown;
}

function readRecords<Kind>(file: string, lines: LineKind): Promise<Kind[]> {
  return Array.fromAsync(eachRecord<Kind>(file, lines), ({ record }) => record);
}

/** Calibrations have no version of their own. */
function upgradeCalibration(record: unknown): unknown {
  return renameFields(record, { asked: 'requested' });
}

function upgradeLook({ told, end, ...look }: UncheckedRecord): UncheckedRecord {
  return { ...look, decided: told, end: end === 'told' ? 'decided' : end };
}

/** One JSON object on each line, checked. */
async function* eachRecord<Kind>(
  file: string,
  { problemOf, noun, upgrade = (record) => upgradeFormat5(record) }: LineKind,
  warn: Warn = () => {},
): AsyncGenerator<{ line: number; record: Kind }> {
  try {
    for await (const { number, bytes, ended } of fileLines(file)) {
      const text = bytes.toString('utf8');
      if (text.trim() === '') continue;
      const where = `${file}, line ${number}`;
      const record = upgrade(parse(text));
      if (record === undefined) {
        if (ended) throw new DamagedRunError(`${where} is not valid JSON. ${REMEDY}`);
        warn(
          `Line ${number} of ${path.basename(file)} is truncated: the run was interrupted while writing it. That ${noun} is excluded.`,
        );
        continue;
      }
      const problem = problemOf(record);
      if (problem) throw new DamagedRunError(`${where}: ${withRemedy(problem)}`);
      yield { line: number, record: record as Kind };
    }
  } catch (error) {
    throw readingError(file, error as Error);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readPlainText(file, { noLink: true });
  } catch (error) {
    throw readingError(file, error as Error);
  }
}

function readingError(file: string, error: NodeJS.ErrnoException): Error {
  const { code } = error;
  if (error instanceof TooLargeError || error instanceof UnreadableFileError) {
    return new DamagedRunError(`${file} cannot be read: ${reasonOf(error)}. ${REMEDY}`);
  }
  if (code === undefined) return error;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new MissingFileError(
      `${file} is missing. Expected the folder of a run, for example results/latest.`,
    );
  }
  return new DamagedRunError(`${file} cannot be read: ${reasonOf(error)}. ${REMEDY}`);
}

/** undefined: not valid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
