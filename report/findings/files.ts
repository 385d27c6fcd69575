import { appendFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, UsageError } from '../../ground/system/exit-status.ts';
import { pathProblem, reasonOf } from '../../ground/system/file-error.ts';
import { complain, indented } from '../../ground/system/printed.mjs';
import type { CommandOutcome, Findings } from './findings.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';

/** Files that a command writes in addition to its report; null: not requested. */
export interface FindingsFiles {
  junit: string | null;
  markdown: string | null;
}

/** Limit of GitHub for the summary of a step, in bytes. */
const MOST_SUMMARY_BYTES = 1024 * 1024;

const NOT_ENDED = 'The command has not ended, or was killed.';

/**
 * Writes a command's findings into the requested files and into the summary of its GitHub step (GITHUB_STEP_SUMMARY).
 * The files say from the start that the command has not ended, so findings of an earlier command cannot be mistaken for its own.
 * A file that cannot be written at the end is reported, and fails a command that succeeded.
 * @param use receives the function that records findings; the files report its error too
 * @throws UsageError before the command starts, if a file cannot be written
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
    // The error that ended the command matters most to the user.
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

/** A summary that cannot be written must not lose the measurements. */
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
