import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Experiment } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { eachObservation } from '../../ground/records/read.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

/** Attempts of a run with these options, without warm-ups; its messages go to stderr. */
export function attemptsOf<Details>(
  experiment: Experiment,
  options: readonly string[],
): Promise<Observation<Details>[]> {
  return withRun(experiment, options, async (out) => {
    const attempts: Observation<Details>[] = [];
    for await (const each of eachObservation(out, experiment, () => {})) {
      if (!each.warmup) attempts.push(each as Observation<Details>);
    }
    return attempts;
  });
}

/**
 * Makes a run of an experiment with these options, passes its folder on, and removes it; messages go to stderr.
 * @param program another program of the same options, with arguments before them
 */
export function withRun<T>(
  experiment: Experiment,
  options: readonly string[],
  use: (folder: string) => Promise<T>,
  program: readonly string[] = [PROGRAM],
): Promise<T> {
  return withTemporaryFolder('logs', async (folder) => {
    const out = path.join(folder, 'run');
    const words = [...program, experiment.command?.name ?? '', ...options, '--out', out];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    await new Promise((resolve) => child.once('close', resolve));
    return use(out);
  });
}
