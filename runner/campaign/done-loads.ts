import { existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { DamagedRunError } from '../../records/damaged-run.ts';
import { fileLines } from '../../records/file-lines.ts';
import type { RunRecord } from '../../records/run.ts';
import { runFolder } from '../../records/run-folder.ts';

/** What a run has measured so far. */
export interface DoneLoads {
  /** Ids of all loads that have a row. */
  ids: ReadonlySet<string>;
  /** Rows, warm-ups of later invocations included. */
  rows: number;
}

/** Every line begins with these fields, as the records' writer puts them; ids are far shorter than this. */
const HEAD_BYTES = 1024;
const HEAD = /^\{"formatVersion":\d+,"formatMinor":\d+,"id":("(?:[^"\\]|\\.)*")/;

/**
 * Reads which loads of a run have been measured, and takes a last line away that was cut while it was written (the machine
 * lost power, or the run was killed): that load is measured again.
 * @throws DamagedRunError when another line is no whole record
 */
export async function readDoneLoads(
  folder: string,
  { recordFile }: Pick<RunRecord, 'recordFile'>,
): Promise<DoneLoads> {
  const { calibrations, invocations, looks } = runFolder(folder);
  for (const file of [calibrations, invocations, looks]) await cutToWholeLines(file, () => true);
  const ids = new Set<string>();
  let rows = 0;
  await cutToWholeLines(path.join(folder, recordFile), (line) => {
    const [, id] = HEAD.exec(line.subarray(0, HEAD_BYTES).toString('utf8')) ?? [];
    if (id === undefined || line.at(-1) !== '}'.charCodeAt(0)) return false;
    ids.add(JSON.parse(id));
    rows++;
    return true;
  });
  return { ids, rows };
}

/**
 * Goes through a file's whole lines in bounded memory, and cuts off what follows the last one.
 * @param take false: the line is no record
 */
async function cutToWholeLines(file: string, take: (line: Buffer) => boolean): Promise<void> {
  if (!existsSync(file)) return;
  let wholeBytes = 0;
  let damagedAt: number | null = null;
  for await (const { number, bytes, ended } of fileLines(file)) {
    // Only the last line may be damaged: what was written after a damaged one tells that it was not cut.
    if (damagedAt !== null) throw damaged(file, damagedAt);
    if (ended && take(bytes)) wholeBytes += bytes.length + 1;
    else damagedAt = number;
  }
  if (damagedAt !== null) await truncate(file, wholeBytes);
}

function damaged(file: string, line: number): DamagedRunError {
  return new DamagedRunError(
    `${file}, line ${line} is not a complete record, and others follow it. Restore the file from a copy, or start a new run.`,
  );
}
