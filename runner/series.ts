import { existsSync } from 'node:fs';
import type { Given } from '../ground/options/row.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { EXIT } from '../ground/system/exit-status.ts';
import { complain } from '../ground/system/printed.mjs';
import type { SeriesActions } from './study.ts';

/** One run of a series. */
interface RunOfSeries {
  title: string;
  /** Its own, below that of the series. */
  folder: string;
  /** Options that begin it, without the folder. */
  given: Given;
}

/** What the runs of a series have in common. */
interface CommonOfRuns {
  /** Of the series. */
  folder: string;
  /** What one of them is called: `Step`. */
  word: string;
  /** What goes with --resume of a run that is begun. */
  besideResume: Given;
}

/**
 * Measures one run after another and writes the series' report after each; runs that are begun are resumed.
 * @returns the exit status: that of the first run that has another one than 0
 */
export async function measureRuns(
  runs: readonly RunOfSeries[],
  { folder, word, besideResume }: CommonOfRuns,
  actions: SeriesActions,
): Promise<number> {
  let status: number = EXIT.ok;
  for (const [index, run] of runs.entries()) {
    complain(`${word} ${index + 1} of ${runs.length}: ${run.title}`);
    const isBegun = existsSync(runFolder(run.folder).run);
    try {
      const ended = await actions.measure(
        isBegun ? { resume: run.folder, ...besideResume } : { ...run.given, out: run.folder },
      );
      if (status === EXIT.ok) status = ended;
    } finally {
      // An interrupted series is shown as far as it came.
      await actions.report(folder);
    }
  }
  return status;
}
