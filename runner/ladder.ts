import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  ladderFolder,
  ladderRecord,
  readLadderRecord,
  writeLadderRecord,
} from '../records/ladder.ts';
import { runFolder } from '../records/run-folder.ts';
import { UsageError } from '../system/errors.ts';
import { EXIT } from '../system/exit-status.ts';
import { ladderRungs } from './presets/ladder.ts';
import { realFolder } from './real-folder.ts';
import { assertUnused, resultsFolder } from './results.ts';

/** A ladder to be measured, or to go on with. */
export interface LadderOrder {
  folder: string;
  /** What the user chose for all rungs. */
  words: readonly string[];
  /** The whole command line. */
  command: readonly string[];
  /** Words that go with --resume of a rung; null: the ladder is new. */
  resumeWords: readonly string[] | null;
}

/** What the command line does with a ladder's rungs. */
export interface LadderSteps {
  /** `npm run benchmark` with these words; gives its exit status. */
  measure(words: readonly string[]): Promise<number>;
  /** Writes the ladder's own report from whatever rungs there are. */
  report(folder: string): Promise<void>;
}

/**
 * Reads a command line that asks for the ladder; null: it asks for a run.
 * @throws UsageError for options that a ladder does not have
 */
export async function readLadderOrder(args: readonly string[]): Promise<LadderOrder | null> {
  // The help is the same for all.
  if (args.some((word) => word === '--help' || word === '-h')) return null;
  const rest = withoutPreset(args);
  if (rest !== null) {
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const out = rest.indexOf('--out');
    const folder = out < 0 ? path.join(resultsFolder, `${at}-ladder`) : (rest[out + 1] ?? '');
    // Refused here, before anything is made.
    ladderRungs(rest);
    return { folder: path.resolve(folder), words: rest, command: args, resumeWords: null };
  }
  const at = args.indexOf('--resume');
  const folder = args[at + 1];
  if (at < 0 || folder === undefined || !existsSync(ladderFolder(folder).ladder)) return null;
  return resumedLadder(realFolder('resume', folder), args);
}

async function resumedLadder(folder: string, args: readonly string[]): Promise<LadderOrder> {
  const { command } = await readLadderRecord(folder);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { resume: { type: 'string' }, 'resume-anyway': { type: 'boolean' } },
    });
    return {
      ...{ folder, command },
      words: withoutPreset(command) ?? [],
      resumeWords: values['resume-anyway'] ? ['--resume-anyway'] : [],
    };
  } catch {
    throw new UsageError(
      `--resume ${folder}: this is a ladder, whose rungs are decided. Only --resume-anyway goes with it.`,
    );
  }
}

/** The words beside `--preset ladder`; null: it is not there. */
function withoutPreset(args: readonly string[]): string[] | null {
  const joined = args.indexOf('--preset=ladder');
  if (joined >= 0) return args.toSpliced(joined, 1);
  const at = args.findIndex((word, index) => word === '--preset' && args[index + 1] === 'ladder');
  return at < 0 ? null : args.toSpliced(at, 2);
}

/**
 * Measures one rung after another, each as a run in a folder of its own, and writes the ladder's report after each; rungs that
 * are there are gone on with.
 * @returns the exit status: that of the first rung that has another one than 0
 */
export async function climbLadder(order: LadderOrder, steps: LadderSteps): Promise<number> {
  const { folder, words, command, resumeWords } = order;
  const rungs = ladderRungs(words);
  if (resumeWords === null) {
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
        begun ? ['--resume', own, ...(resumeWords ?? [])] : [...rung.words, '--out', own],
      );
      if (status === EXIT.ok) status = ended;
    } finally {
      // An interrupted ladder is shown as far as it came.
      await steps.report(folder);
    }
  }
  return status;
}
