import { appendFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, UsageError } from '../../ground/system/exit-status.ts';
import { pathProblem, reasonOf } from '../../ground/system/file-error.ts';
import { complain, indented } from '../../ground/system/printed.mjs';
import type { CommandOutcome, Findings } from './findings.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';

/** Files that a command is asked to write beside its report; null: none. */
export interface FindingsFiles {
  junit: string | null;
  markdown: string | null;
}

/** What the step of a GitHub workflow may say in its summary, in bytes. */
const MOST_SUMMARY_BYTES = 1024 * 1024;

const NOT_ENDED = 'The command has not ended, or was killed.';

/**
 * Has what a command finds written into the files asked for, and added to the summary of the GitHub step that it is (GITHUB_STEP_SUMMARY). They are there from the
 * beginning and say that the command has not ended, so that none of an earlier command can be taken for its own.
 * A file that cannot be written at the end is told; that is the command's status where it had none of its own.
 * @param use is given what takes note of findings; what it throws is in the files too
 * @throws UsageError before anything is done, where a file cannot be written
 */
export async function withFindingsFiles(
  files: FindingsFiles,
  use: (found: (findings: Findings) => void) => Promise<number>,
): Promise<number> {
  assertTwoFiles(files);
  for (const option of OPTIONS) {
    await writeFindings(files, option, { findings: null, problem: NOT_ENDED });
  }
  let findings: Findings | null = null;
  const end = async (problem: string | null): Promise<boolean> => {
    let isWhole = true;
    for (const option of OPTIONS) {
      await writeFindings(files, option, { findings, problem }).catch(({ message }: Error) => {
        isWhole = false;
        complain(indented(message));
      });
    }
    await appendStepSummary({ findings, problem }, files);
    return isWhole;
  };
  let status: number;
  try {
    status = await use((found) => {
      findings = found;
    });
  } catch (error) {
    // What ended the command is what a user has to know first.
    await end((error as Error).message);
    throw error;
  }
  const isWhole = await end(null);
  return isWhole || status !== EXIT.ok ? status : EXIT.usage;
}

const FORMS: Readonly<Record<keyof FindingsFiles, (ending: CommandOutcome) => string>> = {
  junit: junitOf,
  markdown: (ending) => markdownOf(ending, MOST_SUMMARY_BYTES),
};

const OPTIONS = ['junit', 'markdown'] as const;

async function writeFindings(
  files: FindingsFiles,
  option: keyof FindingsFiles,
  ending: CommandOutcome,
): Promise<void> {
  const file = files[option];
  if (file === null) return;
  await writeFile(file, FORMS[option](ending)).catch((error) => {
    if (error.code !== 'ENOENT' && pathProblem(error) === null) throw error;
    throw new UsageError(
      `--${option} ${file}: the file cannot be written: ${reasonOf(error)}. Name a file in a folder that exists.`,
    );
  });
}

function assertTwoFiles({ junit, markdown }: FindingsFiles): void {
  if (junit === null || markdown === null || path.resolve(junit) !== path.resolve(markdown)) return;
  throw new UsageError(`--junit and --markdown: both name ${junit}. Name two files.`);
}

/** A summary that cannot be told is no reason to lose what was measured. */
async function appendStepSummary(
  ending: CommandOutcome,
  { markdown }: FindingsFiles,
): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (!file || (ending.findings === null && ending.problem === null)) return;
  if (markdown !== null && path.resolve(markdown) === path.resolve(file)) return;
  try {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    await appendFile(file, markdownOf(ending, MOST_SUMMARY_BYTES - size));
  } catch (error) {
    complain(
      `The summary of this step (GITHUB_STEP_SUMMARY, ${file}) cannot be written: ${reasonOf(error)}.`,
    );
  }
}
