import { constants, existsSync } from 'node:fs';
import type { Experiment } from '../../ground/experiment.ts';
import { attemptOf, plannedIdOf } from '../../ground/records/attempt.ts';
import { blockKey } from '../../ground/records/cell.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { fileLines } from '../../ground/records/file-lines.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import type { Trial } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { openPlain } from '../../ground/system/plain-file.ts';

/** Loads that a run has measured so far. */
export interface DoneLoads {
  /** Ids of all loads that have a row. */
  ids: ReadonlySet<string>;
  /** Rows, warm-ups of later invocations included. */
  rows: number;
}

/** Every line begins with these fields; ids are far shorter than this. */
const HEAD_BYTES = 1024;
const HEAD = /^\{"formatVersion":\d+,"formatMinor":\d+,"id":("(?:[^"\\]|\\.)*")/;

/**
 * Reads which loads of a run have been measured, and removes an incomplete last line (after a power loss or a kill). That load is
 * measured again, and so is a last block of loads that are measured together when some of its rows are missing: rows of two
 * measurements do not form a block.
 * @throws DamagedRunError when another line is incomplete
 */
export async function readDoneLoads(
  folder: string,
  { recordFile, together }: Pick<Experiment, 'recordFile' | 'together'>,
  trials: readonly Trial[] = [],
): Promise<DoneLoads> {
  const { calibrations, invocations, looks } = runFolder(folder);
  for (const file of [calibrations, invocations, looks]) await cutToWholeLines(file, () => true);
  const file = inFolder(folder, recordFile);
  const last = together ? lastBlockOf(trials) : null;
  const ids = new Set<string>();
  let rows = 0;
  await cutToWholeLines(file, (line, fromByte) => {
    const [, text] = HEAD.exec(line.subarray(0, HEAD_BYTES).toString('utf8')) ?? [];
    if (text === undefined || line.at(-1) !== '}'.charCodeAt(0)) return false;
    const id: string = JSON.parse(text);
    ids.add(id);
    last?.add(id, fromByte);
    rows++;
    return true;
  });
  const half = last?.half() ?? null;
  if (half !== null) {
    await truncate(file, half.fromByte);
    for (const id of half.ids) ids.delete(id);
    rows -= half.ids.length;
  }
  return { ids, rows };
}

/** The block of the last rows of a file. */
function lastBlockOf(trials: readonly Trial[]) {
  const keyOfId = new Map(trials.map((trial) => [trial.id, blockKey(trial)]));
  const sizes = Map.groupBy(trials, blockKey);
  let key = '';
  let fromByte = 0;
  let ids: string[] = [];
  return {
    add(id: string, at: number): void {
      const own = `${attemptOf(id)} ${keyOfId.get(plannedIdOf({ id }))}`;
      if (own !== key) {
        key = own;
        fromByte = at;
        ids = [];
      }
      ids.push(id);
    },
    /** Its rows and where they begin, if some rows are missing; null: no incomplete block. */
    half(): { fromByte: number; ids: string[] } | null {
      const planned = keyOfId.get(plannedIdOf({ id: ids[0] ?? '' }));
      const size = sizes.get(planned ?? '')?.length ?? 0;
      return ids.length < size ? { fromByte, ids } : null;
    },
  };
}

/**
 * Reads a file's complete lines in bounded memory, and truncates the file after the last one.
 * @param take returns false for a line that is not a record
 */
async function cutToWholeLines(
  file: string,
  take: (line: Buffer, fromByte: number) => boolean,
): Promise<void> {
  if (!existsSync(file)) return;
  let wholeBytes = 0;
  let damagedAt: number | null = null;
  for await (const { number, bytes, ended } of fileLines(file)) {
    // Only the last line may be damaged: a later line shows that the damage is not a truncation.
    if (damagedAt !== null) throw damaged(file, damagedAt);
    if (ended && take(bytes, wholeBytes)) wholeBytes += bytes.length + 1;
    else damagedAt = number;
  }
  if (damagedAt !== null) await truncate(file, wholeBytes);
}

async function truncate(file: string, bytes: number): Promise<void> {
  const handle = await openPlain(file, constants.O_WRONLY);
  await handle.truncate(bytes).finally(() => handle.close());
}

function damaged(file: string, line: number): DamagedRunError {
  return new DamagedRunError(
    `${file}, line ${line} is not a complete record, but it is not the last line. Restore the file from a copy, or start a new run.`,
  );
}
