import { createReadStream, existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { DamagedRunError } from '../../records/read.ts';
import { runFolder } from '../../records/run-folder.ts';

/** What a run has measured so far. */
export interface DoneLoads {
  /** Ids of all loads that have a row. */
  ids: ReadonlySet<string>;
  /** Rows, warm-ups of later sittings included. */
  rows: number;
}

const LINE_FEED = 0x0a;
/** Every line begins with these two fields, as the records' writer puts them; ids are far shorter than this. */
const HEAD_BYTES = 1024;
const HEAD = /^\{"formatVersion":\d+,"id":("(?:[^"\\]|\\.)*")/;

/**
 * Reads which loads of a run have been measured, and takes a last line away that was cut while it was written (the machine
 * lost power, or the run was killed): that load is measured again.
 * @throws DamagedRunError when another line is no whole record
 */
export async function readDoneLoads(folder: string): Promise<DoneLoads> {
  const { pageLoads, calibrations, sittings } = runFolder(folder);
  for (const file of [calibrations, sittings]) await cutToWholeLines(file, () => true);
  const ids = new Set<string>();
  let rows = 0;
  await cutToWholeLines(pageLoads, (line) => {
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
  let rest = Buffer.alloc(0);
  let wholeBytes = 0;
  let lines = 0;
  let damagedAt: number | null = null;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    let begin = 0;
    const data = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, begin)) {
      // Only the last line may be damaged: what was written after a damaged one tells that it was not cut.
      if (damagedAt !== null) throw damaged(file, damagedAt);
      lines++;
      if (!take(data.subarray(begin, end))) damagedAt = lines;
      else wholeBytes += end + 1 - begin;
      begin = end + 1;
    }
    rest = Buffer.from(data.subarray(begin));
  }
  if (damagedAt !== null && rest.length > 0) throw damaged(file, damagedAt);
  if (damagedAt !== null || rest.length > 0) await truncate(file, wholeBytes);
}

function damaged(file: string, line: number): DamagedRunError {
  return new DamagedRunError(
    `${file}, line ${line} is no whole record, and others follow it. Restore the file from a copy, or begin a new run.`,
  );
}
