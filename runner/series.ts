import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { RawOptions } from '../ground/options/row.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { UsageError } from '../ground/system/errors.ts';
import { EXIT } from '../ground/system/exit-status.ts';
import { assertPlainFolder } from '../ground/system/plain-folder.ts';
import { complain } from '../ground/system/printed.mjs';
import { isSeriesFolder, presetOfRun, type Series, seriesFolder } from '../report/series.ts';
import { realFolder } from './real-folder.ts';
import { assertUnused, resultsFolder } from './results.ts';

/** What the command line does for a series. */
interface SeriesActions {
  /** Measures or freezes a run with these options; gives the exit status. */
  measure(given: RawOptions): Promise<number>;
  /** Reports the series from those of its runs that are there. */
  report(folder: string): Promise<void>;
}

/** A series that a command line asks for; gives the exit status when it is measured. */
type MeasureSeries = (actions: SeriesActions) => Promise<number>;

/**
 * Finds what measures a series, where a command line asks for it or for resuming it; null: it asks for something else.
 * @throws UsageError for options that the series does not have
 */
export function findSeries(
  series: Series,
  { preset, resume, ...rest }: RawOptions,
): MeasureSeries | null {
  const { name, free } = series;
  if (preset === name) {
    assertOnly(free, rest, `--preset ${name}`, 'Anything else is part of its plans.');
    series.assertValues?.(rest);
    const { out, ...chosen } = rest;
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const folder = path.resolve(out ?? path.join(resultsFolder, `${at}-${name}`));
    return async (actions) => {
      const status = await freezePlans(series, folder, chosen, actions);
      return status === EXIT.ok ? measureRuns(series, folder, {}, actions) : status;
    };
  }
  if (resume === undefined || !isSeriesFolder(series, resume)) return null;
  const folder = realFolder('resume', resume);
  assertPlainFolder(folder);
  assertOnly(['resume-anyway'], rest, `--resume ${folder}`, 'Its plans are frozen.');
  return (actions) => measureRuns(series, folder, rest, actions);
}

function assertOnly(names: readonly string[], given: RawOptions, what: string, why: string): void {
  const others = Object.keys(given).filter((name) => !names.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `${what} and --${others.join(', --')}: only --${names.join(', --')} can be given as well. ${why}`,
  );
}

/** Writes the plan of every run before anything is measured, so that no result can change what is measured after it. */
async function freezePlans(
  series: Series,
  folder: string,
  chosen: RawOptions,
  { measure }: SeriesActions,
): Promise<number> {
  const files = seriesFolder(folder);
  await assertUnused(folder);
  await mkdir(files.plans, { recursive: true });
  for (const run of series.runs) {
    const freeze = files.plan(run);
    const status = await measure({ ...chosen, preset: presetOfRun(series, run), freeze });
    if (status !== EXIT.ok) return status;
  }
  return EXIT.ok;
}

/**
 * Measures one run after another and reports the series after each; runs that are begun are resumed.
 * @returns the exit status: that of the first run that has another one than 0
 * @throws UsageError when not every plan was frozen
 */
async function measureRuns(
  { runs, word }: Series,
  folder: string,
  resumeOptions: RawOptions,
  actions: SeriesActions,
): Promise<number> {
  const files = seriesFolder(folder);
  const missing = runs.filter((run) => !existsSync(files.plan(run)));
  if (missing.length > 0) {
    throw new UsageError(
      `${files.plans} has no plan of ${missing.map(({ name }) => name).join(', ')}: it was interrupted before all plans were frozen, and nothing was measured, or it is of another version of this project. Begin it again in another folder.`,
    );
  }
  let status: number = EXIT.ok;
  for (const [index, run] of runs.entries()) {
    complain(`${word} ${index + 1} of ${runs.length}: ${run.title}`);
    const own = files.run(run);
    const isBegun = existsSync(runFolder(own).run);
    try {
      const ended = await actions.measure(
        isBegun ? { resume: own, ...resumeOptions } : { plan: files.plan(run), out: own },
      );
      if (status === EXIT.ok) status = ended;
    } finally {
      // An interrupted series is shown as far as it came.
      await actions.report(folder);
    }
  }
  return status;
}
