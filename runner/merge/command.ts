import path from 'node:path';
import { readRun } from '../../records/read.ts';
import { runFolder } from '../../records/run-folder.ts';
import type { ReportedStudy } from '../../report/study.ts';
import { failRuleFor, outcomeLines, outcomeOf, statusOf } from '../../report/summary/fail-if.ts';
import { summaryTable } from '../../report/terminal.ts';
import { counted } from '../../report/text/number.ts';
import { wrapped } from '../../report/text/terminal.ts';
import { writeReport } from '../../report/write.ts';
import { EXIT, ExitError, UsageError } from '../../system/exit-status.ts';
import { readCaptures } from '../captures.ts';
import { mergeRuns } from './merge.ts';

/** Where the whole run is to lie, and what is to be said of it. */
export interface MergeChoices {
  out: string | null;
  'fail-if': string | null;
}

/**
 * Joins the parts of one run into a new folder and writes its report. Answers the exit status.
 * @throws UsageError when nothing was merged
 */
export async function mergeCommand(
  folders: readonly string[],
  { out, 'fail-if': failIf }: MergeChoices,
  sections: ReportedStudy['sections'],
): Promise<number> {
  if (out === null) throw new UsageError('--out is missing: expected the folder to create.');
  if (folders.length < 2) {
    throw new UsageError(`Expected the folders of at least two parts, got ${folders.length}.`);
  }
  try {
    return await merge(folders, path.resolve(out), { failIf, sections });
  } catch (error) {
    throw error instanceof ExitError
      ? new UsageError(`Nothing was merged: ${error.message}`)
      : error;
  }
}

async function merge(
  folders: readonly string[],
  out: string,
  { failIf, sections }: { failIf: string | null; sections: ReportedStudy['sections'] },
): Promise<number> {
  const [first = ''] = folders;
  // Before anything is merged: an invalid rule is reported at once.
  const rule = failIf === null ? null : failRuleFor(await readRun(first), failIf);
  const { loads, machines, notes } = await mergeRuns(folders, out);
  for (const note of notes) process.stderr.write(`${note}\n`);
  process.stdout.write(
    `Joined ${counted(loads, 'load')} of ${counted(folders.length, 'folder')} and ${counted(machines.length, 'machine')}: ${out}\n`,
  );
  await readCaptures(out);
  const summary = await writeReport(out, { sections });
  const { columns } = process.stdout;
  process.stdout.write(`${summaryTable(summary, columns)}\nReport: ${runFolder(out).report}\n`);
  const ended = summary.ledger.entries.some(({ count }) => count > 0)
    ? EXIT.someLoadsNotOk
    : EXIT.ok;
  if (rule === null) return ended;
  const outcome = outcomeOf(rule, summary);
  for (const line of outcomeLines(rule, outcome)) {
    process.stdout.write(`${wrapped(line, columns)}\n`);
  }
  return statusOf(outcome) ?? ended;
}
