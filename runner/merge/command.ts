import path from 'node:path';
import { readRun } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { EXIT, ExitError, UsageError } from '../../ground/system/exit-status.ts';
import { complain, print, printable } from '../../ground/system/printed.mjs';
import { countWithNoun } from '../../kit/text/number.ts';
import { wrapText } from '../../kit/text/terminal.ts';
import { type FindingsFiles, withFindingsFiles } from '../../report/findings/files.ts';
import { type Findings, findingsOfRun } from '../../report/findings/findings.ts';
import type { LoadStudies } from '../../report/study.ts';
import { failRuleFor, outcomeOf } from '../../report/summary/fail-if.ts';
import { outcomeLines, statusOf } from '../../report/summary/fail-rule.ts';
import { problemsOf } from '../../report/summary/run-exclusions.ts';
import { summaryTable } from '../../report/terminal.ts';
import { writeReport } from '../../report/write.ts';
import { readCaptures } from '../captures.ts';
import { mergeRuns } from './merge.ts';

interface MergeChoices extends FindingsFiles {
  out: string | null;
  'fail-if': string | null;
}

/**
 * Merges the parts of one run into a new folder and writes its report. Returns the exit status.
 * @throws UsageError when nothing was merged
 */
export async function mergeCommand(
  folders: readonly string[],
  { out, 'fail-if': failIf, ...files }: MergeChoices,
  studies: LoadStudies,
): Promise<number> {
  if (out === null) throw new UsageError('--out is missing: expected the folder to create.');
  if (folders.length < 2) {
    throw new UsageError(`Expected the folders of at least two parts, got ${folders.length}.`);
  }
  return withFindingsFiles(files, async (found) => {
    try {
      return await merge(folders, path.resolve(out), { failIf, studies, found });
    } catch (error) {
      throw error instanceof ExitError
        ? new UsageError(`Nothing was merged: ${error.message}`)
        : error;
    }
  });
}

interface MergeContext {
  failIf: string | null;
  studies: LoadStudies;
  found: (findings: Findings) => void;
}

async function merge(
  folders: readonly string[],
  out: string,
  { failIf, studies, found }: MergeContext,
): Promise<number> {
  const [first = ''] = folders;
  // Reports an invalid rule before anything is merged.
  const rule = failIf === null ? null : failRuleFor(await readRun(first), failIf);
  const { loads, machines, notes } = await mergeRuns(folders, out);
  for (const note of notes) complain(printable(note));
  print(
    `Joined ${countWithNoun(loads, 'load')} of ${countWithNoun(folders.length, 'folder')} and ${countWithNoun(machines.length, 'machine')}: ${out}`,
  );
  await readCaptures(out);
  const summary = await writeReport(out, { studies });
  const { columns } = process.stdout;
  const { report } = runFolder(out);
  print(`${summaryTable(summary, columns)}\nReport: ${report}`);
  const outcome = rule && outcomeOf(rule, summary);
  found(findingsOfRun(summary, outcome, report));
  for (const line of outcome ? outcomeLines(outcome) : []) {
    print(wrapText(line, columns));
  }
  const ended = problemsOf(summary).length > 0 ? EXIT.someLoadsNotOk : EXIT.ok;
  return (outcome && statusOf(outcome)) ?? ended;
}
