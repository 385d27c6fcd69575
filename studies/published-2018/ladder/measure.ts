import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandLine, readCommandLine } from '../../../options/command-line.ts';
import type { Given } from '../../../options/row.ts';
import {
  ladderFolder,
  ladderRecord,
  readLadderRecord,
  writeLadderRecord,
} from './record.ts';
import { runFolder } from '../../../records/run-folder.ts';
import { UsageError } from '../../../system/errors.ts';
import { EXIT } from '../../../system/exit-status.ts';
import { ladderRungs } from './steps.ts';
import { realFolder } from '../../../runner/real-folder.ts';
import { assertUnused, resultsFolder } from '../../../runner/results.ts';

/** A ladder to be measured, or to go on with. */
export interface LadderOrder {
  folder: string;
  /** What the user chose for all rungs. */
  chosen: Given;
  /** The whole command line. */
  command: readonly string[];
  /** What goes with --resume of a rung; null: the ladder is new. */
  besideResume: Given | null;
}

/** What the command line does with a ladder's rungs. */
export interface LadderSteps {
  /** `npm run benchmark` with these options; gives its exit status. */
  measure(given: Given): Promise<number>;
  /** Writes the ladder's own report from whatever rungs there are. */
  report(folder: string): Promise<void>;
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
    ladderRungs(given);
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
  if (Object.keys(beside).some((name) => name !== 'resume-anyway')) {
    throw new UsageError(
      `--resume ${folder}: this is a ladder, whose rungs are decided. Only --resume-anyway goes with it.`,
    );
  }
  const { command } = await readLadderRecord(folder);
  const chosen = readCommandLine(['benchmark', ...command])?.given ?? {};
  return { folder, chosen, command, besideResume: beside };
}

/**
 * Measures one rung after another, each as a run in a folder of its own, and writes the ladder's report after each; rungs that
 * are there are gone on with.
 * @returns the exit status: that of the first rung that has another one than 0
 */
export async function climbLadder(order: LadderOrder, steps: LadderSteps): Promise<number> {
  const { folder, chosen, command, besideResume } = order;
  const rungs = ladderRungs(chosen);
  if (besideResume === null) {
    await assertUnused(folder);
    await mkdir(folder, { recursive: true });
    const startedAt = new Date().toISOString();
    await writeLadderRecord(folder, ladderRecord({ startedAt, command: [...command] }, rungs));
  }
  const record = await readLadderRecord(folder);
  let status: number = EXIT.ok;
  for (const [index, rung] of rungs.entries()) {
    const planned = record.rungs[index];
    if (planned?.name !== rung.name) {
      throw new UsageError(
        `${ladderFolder(folder).ladder} has other rungs than this version's ladder. Make the ladder again.`,
      );
    }
    console.error(`Rung ${index + 1} of ${rungs.length}: ${rung.title}`);
    const own = path.join(folder, planned.folder);
    const begun = existsSync(runFolder(own).run);
    try {
      const ended = await steps.measure(
        begun ? { resume: own, ...besideResume } : { ...rung.given, out: own },
      );
      if (status === EXIT.ok) status = ended;
    } finally {
      // An interrupted ladder is shown as far as it came.
      await steps.report(folder);
    }
  }
  return status;
}
