import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { experimentOf } from '../../experiments/index.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readObservations, readRun } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { temporaryFolder, withTemporaryFolder } from '../temporary-folder.ts';
import { startMeasuring } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { assertStatusOf } from './whole-run.ts';

/** Output and files of a run. */
export interface EndedRun<Attempt extends Observation> {
  out: string;
  status: number | null;
  output: string;
  /** In the order in which they were made. */
  observations: Attempt[];
}

/**
 * Runs a command into a folder, and checks that it leaves no process and only whole records.
 * @param words separated by spaces or line breaks
 */
export async function runToEnd<Attempt extends Observation>(
  words: string,
  out: string,
): Promise<EndedRun<Attempt>> {
  const command = startMeasuring(words, out);
  const status = await command.ended;
  const output = command.output();
  await assertNoProcessLeft(command);
  assert.ok(existsSync(runFolder(out).run), output);
  const read = await readObservations(out, experimentOf(await readRun(out)));
  assert.deepEqual(read.warnings, []);
  return { out, status, output, observations: read.observations as Attempt[] };
}

/**
 * Runs a command into a temporary folder, which exists until `use` ends.
 * @param expected exit status, or a check of it together with the attempts
 */
export function withRun<Attempt extends Observation = Observation>(
  words: string,
  use: (run: EndedRun<Attempt>) => Promise<void> | void,
  expected: number | typeof assertStatusOf = assertStatusOf,
): Promise<void> {
  return withTemporaryFolder(async (temporary) => {
    const run = await runToEnd<Attempt>(words, path.join(temporary, 'run'));
    if (typeof expected === 'number') assert.equal(run.status, expected, run.output);
    else expected(run.observations, run.status, run.output);
    await use(run);
  });
}

/**
 * One run for several tests of a file: the first that needs it runs the command, whose folder
 * exists until the file ends.
 */
export function sharedRun<Attempt extends Observation = Observation>(
  words: string,
): () => Promise<EndedRun<Attempt>> {
  const out = path.join(temporaryFolder({ after }), 'run');
  let run: Promise<EndedRun<Attempt>> | undefined;
  return async () => {
    run ??= runToEnd(words, out);
    const { observations, status, output } = await run;
    assertStatusOf(observations, status, output);
    return run;
  };
}

/** Enough to remove the effect of a busy machine on some runs. */
const MOST_RUNS = 3;

/**
 * Repeats a command until its attempts, of all runs together, are right: a protocol's time is in
 * every run, and a busy machine's is not.
 * @returns how often it ran, and the attempts but for warm-ups
 */
export function runUntil<Attempt extends Observation>(
  words: string,
  isRight: (made: readonly Attempt[]) => boolean,
): Promise<{ runs: number; made: Attempt[] }> {
  return withTemporaryFolder(async (temporary) => {
    const made: Attempt[] = [];
    let runs = 0;
    do {
      const out = path.join(temporary, `run-${++runs}`);
      const { observations, status, output } = await runToEnd<Attempt>(words, out);
      const able = observations.filter(({ outcome }) => outcome !== 'unsupported');
      assertStatusOf(able, status, output);
      made.push(...observations.filter(({ warmup }) => !warmup));
    } while (runs < MOST_RUNS && !isRight(made));
    return { runs, made };
  });
}
