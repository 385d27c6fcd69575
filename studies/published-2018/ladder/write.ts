import { ladderFolder, readLadderRecord } from './record.ts';
import { writeWhole } from '../../../records/whole-file.ts';
import type { LadderSummary } from './summary.ts';
import { type MeasuredRung, readRung } from './measured-step.ts';
import { ladderPage } from './page.ts';
import { summariseLadder } from './summarise.ts';

/**
 * Writes ladder-summary.json and ladder.html of a ladder from its ladder.json and the records of the runs in it. Rungs that have
 * not been measured, or not to their end, are shown as missing. The same input gives the same bytes, and no file is ever half
 * written.
 * @throws DamagedRunError when the folder holds no ladder, or runs that are damaged or cannot be of one ladder.
 */
export async function writeLadder(folder: string): Promise<LadderSummary> {
  const files = ladderFolder(folder);
  const record = await readLadderRecord(folder);
  const rungs: MeasuredRung[] = [];
  for (const rung of record.rungs) rungs.push(await readRung(folder, rung));
  const summary = summariseLadder(record, rungs);
  await writeWhole(files.summaryJson, `${JSON.stringify(summary, null, 1)}\n`);
  await writeWhole(files.page, ladderPage(summary));
  return summary;
}
