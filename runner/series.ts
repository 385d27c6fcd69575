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

/** Actions of the command line for a series. */
interface SeriesActions {
  /** Measures or freezes a run with these options; returns the exit status. */
  measure(given: RawOptions): Promise<number>;
  /** Reports the existing runs of a series. */
  report(folder: string): Promise<void>;
}

/** Measures a series; returns the exit status. */
type MeasureSeries = (actions: SeriesActions) => Promise<number>;

/**
 * Finds the series that a command line starts or resumes; null: no series.
 * @throws UsageError for options that the series does not have
 */
export function findSeries(
  series: Series,
  { preset, resume, ...rest }: RawOptions,
): MeasureSeries | null {
  const { name, free } = series;
  if (preset === name) {
    assertOnly(free, rest, `--preset ${name}`, 'All other options are part of its plans.');
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
  const excess = Object.keys(given).filter((name) => !names.includes(name));
  if (excess.length === 0) return;
  throw new UsageError(
    `${what} and --${excess.join(', --')}: expected no options but --${names.join(', --')}. ${why}`,
  );
}

/** Writes the plans of all runs before measuring, so that no result can change them. */
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
 * Measures one run after another, resumes unfinished ones, and reports the series after each.
 * @returns the first exit status of a run that is not 0, or else 0
 * @throws UsageError when some plans are missing
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
      `${files.plans} has no plan of ${missing.map(({ name }) => name).join(', ')}: freezing was interrupted, or another version of this project made it. Start the series in another folder.`,
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
      // Also reports an interrupted series.
      await actions.report(folder);
    }
  }
  return status;
}
