import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Presets } from '../ground/options/preset.ts';
import type { RawOptions } from '../ground/options/row.ts';
import { runFolder } from '../ground/records/run-folder.ts';

export interface RunOfSeries {
  /** Also the end of its preset's name, `SERIES/RUN`. */
  name: string;
  title: string;
  /** Relative to the folder of the series. */
  folder: string;
  options: RawOptions;
}

/** Runs that one command measures one after another, from plans that are frozen before the first run. */
export interface Series {
  /** Also the name of its preset. */
  name: string;
  /** Purpose, for the help. */
  about: string;
  /** Name of the experiment. */
  of: string;
  /** What one run is called: `Step`. */
  word: string;
  runs: readonly RunOfSeries[];
  /** Options that may be given for the whole series. */
  free: readonly string[];
  /** @throws UsageError for a value that the series does not allow */
  assertValues?(given: RawOptions): void;
  /**
   * Combines the runs that exist.
   * @throws DamagedRunError when a run is damaged or belongs to another series
   */
  report(folder: string): Promise<SeriesReport>;
}

export interface SeriesReport {
  /** For a terminal of that width; undefined: lines are not broken. Ends with a line feed. */
  text(columns?: number): string;
  /** Line that names the file with the result. */
  resultLine: string;
  /** Folder of the run whose report shows the series; null: no report shows it. */
  reportFolder: string | null;
}

/** The preset of a run, as in its run.json. */
export function presetOfRun(
  { name }: Pick<Series, 'name'>,
  run: Pick<RunOfSeries, 'name'>,
): string {
  return `${name}/${run.name}`;
}

/** The preset of a series, and one for each of its runs. */
export function presetsOfSeries({ name, of, about, runs }: Series): Presets {
  return {
    [name]: { of, about, options: null },
    ...Object.fromEntries(
      runs.map((run) => [presetOfRun({ name }, run), { of, about: null, options: run.options }]),
    ),
  };
}

export function seriesFolder(folder: string) {
  const plans = path.join(folder, 'plans');
  return {
    plans,
    /** Frozen before the first attempt of any run. */
    plan: (run: Pick<RunOfSeries, 'folder'>) => path.join(plans, `${run.folder}.json`),
    run: (run: Pick<RunOfSeries, 'folder'>) => path.join(folder, run.folder),
  };
}

export function isSeriesFolder({ runs }: Pick<Series, 'runs'>, folder: string): boolean {
  const files = seriesFolder(folder);
  return runs.some(
    (run) => existsSync(files.plan(run)) || existsSync(runFolder(files.run(run)).run),
  );
}
