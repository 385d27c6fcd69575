import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Given } from '../../../ground/options/row.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { assertPlainFolder } from '../../../ground/system/plain-folder.ts';
import { type CommandLine, readCommandLine } from '../../../runner/command-line/command-line.ts';
import { realFolder } from '../../../runner/real-folder.ts';
import { assertUnused, resultsFolder } from '../../../runner/results.ts';
import { measureRuns } from '../../../runner/series.ts';
import type { SeriesActions } from '../../../runner/study.ts';
import { ladderFolder } from './names.ts';
import { ladderRecord, readLadderRecord, writeLadderRecord } from './record.ts';
import { ladderSteps } from './steps.ts';

/** A ladder to be measured, or to go on with. */
export interface LadderOrder {
  folder: string;
  /** What the user chose for all steps. */
  chosen: Given;
  /** The whole command line. */
  command: readonly string[];
  /** What goes with --resume of a step; null: the ladder is new. */
  besideResume: Given | null;
}

/**
 * Reads a command line that asks for the ladder; null: it asks for a run.
 * @throws UsageError for options that a ladder does not have
 */
export async function readLadderOrder({
  given,
  words,
}: Pick<CommandLine, 'given' | 'words'>): Promise<LadderOrder | null> {
  if (given.preset === 'ladder') {
    // Refused here, before anything is made.
    ladderSteps(given);
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const folder = path.resolve(given.out ?? path.join(resultsFolder, `${at}-ladder`));
    return { folder, chosen: given, command: words, besideResume: null };
  }
  if (given.resume === undefined || !existsSync(ladderFolder(given.resume).ladder)) return null;
  return resumedLadder(given.resume, given);
}

async function resumedLadder(
  resume: string,
  { resume: _, ...beside }: Given,
): Promise<LadderOrder> {
  const folder = realFolder('resume', resume);
  assertPlainFolder(folder);
  if (Object.keys(beside).some((name) => name !== 'resume-anyway')) {
    throw new UsageError(
      `--resume ${folder}: this is a ladder, whose steps are decided. Only --resume-anyway goes with it.`,
    );
  }
  const { command } = await readLadderRecord(folder);
  const chosen = readCommandLine(['benchmark', ...command])?.given ?? {};
  return { folder, chosen, command, besideResume: beside };
}

/**
 * Measures one step after another, each as a run in a folder of its own, and writes the ladder's report after each; steps that
 * are there are gone on with.
 * @returns the exit status: that of the first step that has another one than 0
 */
export async function measureLadder(order: LadderOrder, actions: SeriesActions): Promise<number> {
  const { folder, chosen, command, besideResume } = order;
  const steps = ladderSteps(chosen);
  if (besideResume === null) {
    await assertUnused(folder);
    await mkdir(folder, { recursive: true });
    const startedAt = new Date().toISOString();
    await writeLadderRecord(folder, ladderRecord({ startedAt, command: [...command] }, steps));
  }
  const record = await readLadderRecord(folder);
  const runs = steps.map(({ name, title, given }, index) => {
    const planned = record.steps[index];
    if (planned?.name !== name) {
      throw new UsageError(
        `${ladderFolder(folder).ladder} has other steps than this version's ladder. Make the ladder again.`,
      );
    }
    return { title, given, folder: path.join(folder, planned.folder) };
  });
  return measureRuns(runs, { folder, word: 'Step', besideResume: besideResume ?? {} }, actions);
}
