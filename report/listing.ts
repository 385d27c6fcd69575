import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileLines } from '../ground/records/file-lines.ts';
import { inFolder } from '../ground/records/file-name.ts';
import { readRun } from '../ground/records/read.ts';
import { isPlanned } from '../ground/records/run.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { momentText, sizeText } from '../kit/text/number.ts';

/**
 * Lists the plan and the files of a run whose experiment is not installed.
 * @throws DamagedRunError when run.json cannot be read
 */
export async function listingOfRun(folder: string): Promise<string> {
  const run = await readRun(folder);
  const { runId, experiment, startedAt, command, arms, subjects, networks, recordFile } = run;
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      if (!entry.isFile()) return `${entry.name}/`;
      const { size } = await stat(path.join(folder, entry.name));
      return `${entry.name} (${sizeText(size)})`;
    });
  return [
    `Run ${runId} of the experiment ${experiment}, planned ${momentText(startedAt)}`,
    `Options: ${command.join(' ') || 'none'}`,
    `Arms: ${arms.map(({ label, arm }) => `${arm} (${label})`).join(', ')}`,
    `Subjects: ${subjects.map(({ subject }) => subject).join(', ')}`,
    `Network conditions: ${networks.map(({ name }) => name).join(', ')}`,
    `Attempts: ${await attemptsText(folder, recordFile)}, ${run.trials.filter(isPlanned).length} planned`,
    `Files: ${(await Promise.all(files)).join(', ')}`,
  ].join('\n');
}

async function attemptsText(folder: string, recordFile: string): Promise<string> {
  let lines = 0;
  try {
    for await (const { bytes } of fileLines(inFolder(folder, recordFile))) {
      if (bytes.toString('utf8').trim() !== '') lines++;
    }
  } catch (error) {
    return `${recordFile} cannot be read (${reasonOf(error as Error)})`;
  }
  return `${lines} in ${recordFile}`;
}
