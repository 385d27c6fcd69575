import { writeWhole } from '../../../ground/records/whole-file.ts';
import { type MeasuredStep, readStep } from './measured-step.ts';
import { ladderFolder } from './names.ts';
import { ladderPage } from './page.ts';
import { readLadderRecord } from './record.ts';
import { summariseLadder } from './summarise.ts';
import type { LadderSummary } from './summary.ts';

/**
 * Writes ladder-summary.json and ladder.html of a ladder from its ladder.json and the records of the runs in it. Steps that have
 * not been measured, or not to their end, are shown as missing. The same input gives the same bytes, and no file is ever half
 * written.
 * @throws DamagedRunError when the folder holds no ladder, or runs that are damaged or cannot be of one ladder.
 */
export async function writeLadder(folder: string): Promise<LadderSummary> {
  const files = ladderFolder(folder);
  const record = await readLadderRecord(folder);
  const steps: MeasuredStep[] = [];
  for (const step of record.steps) steps.push(await readStep(folder, step));
  const summary = summariseLadder(record, steps);
  await writeWhole(files.summaryJson, `${JSON.stringify(summary, null, 1)}\n`);
  await writeWhole(files.page, ladderPage(summary));
  return summary;
}
