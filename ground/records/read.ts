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
} from './problems.ts';
import type { RunRecord } from './run.ts';
import { runFolder } from './run-folder.ts';
import type { TSchema } from './schema.ts';
import type { SchemaCheck } from './schema-check.ts';

/** Which file of a run's folder holds its attempts, and what they have beside what all have. */
interface ObservationKind {
  /** Name of the file. */
  recordFile: string;
  /** Schema of `details`. */
  details: TSchema;
  /** Gives an attempt of format 5 the fields of today; absent: it has them. */
  upgraded?(record: UncheckedRecord): UncheckedRecord;
}

/**
 * Opens the folder of a run: refuses it when it holds links or special files, then reads and checks its run.json. Every command that works
 * with a run begins with this.
 * @throws UsageError when the folder holds anything but files and folders
 * @throws DamagedRunError when the file is missing, is not JSON or breaks the format.
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const file = runFolder(folder).run;
  if (existsSync(file)) assertPlainFolder(folder);
  const run = upgradePlan(parse(await readText(file)));
  if (run === undefined) throw new DamagedRunError(`${file} is not valid JSON. ${REMEDY}`);
  const problem = problemOfRun(run);
  if (problem) throw new DamagedRunError(`${file}: ${problem}. ${REMEDY}`);
  return run as RunRecord;
}

/**
 * Reads and checks the attempts of a run. A last line that was cut while it was written (the run was killed) is left out with a
 * warning; any other damage is an error.
 * @returns them in the order of the file, which is the order actually run; warnings are empty for a run that ended well
 * @throws DamagedRunError when the file is missing, a line is not JSON or breaks the format, or an id stands twice.
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

/** Lets attempts at the same cell share what they have alike, which is a third of what a run of thousands takes. */
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

/** The same one attempt after the other, for runs of any size: nothing but the ids is held. */
export async function* eachObservation(
  folder: string,
  { recordFile, details, upgraded }: ObservationKind,
  warn: Warn,
): AsyncGenerator<Observation> {
  const file = inFolder(folder, recordFile);
  const lineOfId = new Map<string, number>();
  const lines: LineKind = {
    problemOf: problemOfObservation(details),
    noun: 'attempt',
    upgrade: (record) => upgradeFormat5(record, upgraded),
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
 * Reads and checks calibrations.jsonl of a run's folder, with the same mercy for a cut last line. No attempt depends on
 * it: without the file there are no calibrations, and a warning.
 * @throws DamagedRunError when a line is not JSON or breaks the format.
 */
export async function readCalibrations(folder: string) {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  return { calibrations: await Array.fromAsync(eachCalibration(folder, warn)), warnings };
}

/** The same one calibration after the other. */
export async function* eachCalibration(
  folder: string,
  warn: Warn,
): AsyncGenerator<CalibrationRecord> {
  const file = runFolder(folder).calibrations;
  const lines = { problemOf: problemOfCalibration, noun: 'calibration', upgrade: upgradeCalibration };
  try {
    for await (const { record } of eachRecord<CalibrationRecord>(file, lines, warn)) {
      yield record;
    }
  } catch (error) {
    if (!(error instanceof MissingFileError)) throw error;
    warn(
      `${path.basename(file)} is missing: what the path between browser and servers was measured to be is not known.`,
    );
  }
}

/**
 * Reads and checks invocations.jsonl of a run's folder, with the same mercy for a cut last line.
 * @throws DamagedRunError when the file is missing, or a line is not JSON or breaks the format.
 */
export async function readInvocations(folder: string): Promise<InvocationRecord[]> {
  return readRecords(runFolder(folder).invocations, {
    problemOf: problemOfInvocation,
    noun: 'invocation',
  });
}

/**
 * Reads and checks looks.jsonl of a run's folder, with the same mercy for a cut last line; none where nobody looked.
 * @throws DamagedRunError when a line is not JSON or breaks the format.
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
 * Reads and checks packets.jsonl of a run's folder, with the same mercy for a cut last line; none where no capture was read.
 * @throws DamagedRunError when a line is not JSON or breaks the format.
 */
export async function readPackets(folder: string): Promise<AttemptPackets[]> {
  const { packetRecords } = runFolder(folder);
  return existsSync(packetRecords)
    ? readRecords(packetRecords, { problemOf: problemOfPackets, noun: 'capture' })
    : [];
}

/** Takes a sentence about a file that can be read all the same. */
type Warn = (sentence: string) => void;

const REMEDY = 'Restore the file from a copy, or run the benchmark again.';

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
          `Line ${number} of ${path.basename(file)} was cut in the middle: the run was interrupted while writing it. That ${noun} is left out.`,
        );
        continue;
      }
      const problem = problemOf(record);
      if (problem) throw new DamagedRunError(`${where}: ${problem}. ${REMEDY}`);
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

/** The JSON value, or undefined when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
