import type { PageLoad } from '../../records/page-load.ts';
import { readCalibrations, readPageLoads, readRun, readSittings } from '../../records/read.ts';
import type { RunRecord } from '../../records/run.ts';
import type { AnalysisChoice } from '../analysis-used.ts';
import { type Summary, summarise } from '../summary.ts';

/** A run with everything that its comparison with another is made of. */
export interface MeasuredRun {
  run: RunRecord;
  pageLoads: PageLoad[];
  summary: Summary;
}

/** The records of a run as they are read from its folder. */
export interface RunRecords {
  run: RunRecord;
  summariseWith: (choice: AnalysisChoice) => MeasuredRun;
}

/**
 * Reads a run's records; what they are analysed with is for later to say.
 * @throws DamagedRunError when the folder holds no run, a damaged one, or one of another format.
 */
export async function readRecords(folder: string): Promise<RunRecords> {
  const run = await readRun(folder);
  const { pageLoads, warnings } = await readPageLoads(folder);
  const calibrated = await readCalibrations(folder);
  const sittings = await readSittings(folder);
  return {
    run,
    summariseWith: (choice) => ({
      run,
      pageLoads,
      summary: summarise(run, pageLoads, calibrated.calibrations, {
        warnings: [...warnings, ...calibrated.warnings],
        sittings,
        choice,
      }),
    }),
  };
}
