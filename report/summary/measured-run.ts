import { experimentOf } from '../../experiments/index.ts';
import { withoutFilmed } from '../../ground/records/filmed.ts';
import type { Observation } from '../../ground/records/observation.ts';
import {
  readCalibrations,
  readInvocations,
  readLooks,
  readObservations,
  readRun,
} from '../../ground/records/read.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import type { AnalysisChoice } from './analysis.ts';
import { type Summary, summarise } from './summary.ts';

export interface MeasuredRun {
  run: RunRecord;
  observations: Observation[];
  summary: Summary;
}

/**
 * Reads a run's records.
 * @throws DamagedRunError when the folder holds no run, a damaged one, or one of another format.
 */
export async function readRecords(folder: string) {
  const run = await readRun(folder);
  const { observations: all, warnings } = await readObservations(folder, experimentOf(run));
  const observations = withoutFilmed(all);
  const calibrated = await readCalibrations(folder);
  const invocations = await readInvocations(folder);
  const looks = await readLooks(folder);
  return {
    run,
    invocations,
    filmed: all.filter(({ filmed }) => filmed),
    summariseWith: (choice: AnalysisChoice): MeasuredRun => ({
      run,
      observations,
      summary: summarise(run, all, calibrated.calibrations, {
        warnings: [...warnings, ...calibrated.warnings],
        invocations,
        looks,
        choice,
      }),
    }),
  };
}
