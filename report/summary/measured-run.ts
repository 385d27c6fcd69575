import { experimentOf } from '../../experiments/index.ts';
import { loadsOfArms, withoutExplaining } from '../../ground/records/explaining-arms.ts';
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
import { labelInBrowser, splitBrowser } from '../../ground/stack.ts';
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
  const whole = withBrowsersNamed(await readRun(folder));
  const run = withoutExplaining(whole);
  const { observations: all, warnings } = await readObservations(folder, experimentOf(run));
  const observations = loadsOfArms(run, withoutFilmed(all));
  const calibrated = await readCalibrations(folder);
  const invocations = await readInvocations(folder);
  const looks = await readLooks(folder);
  return {
    run,
    observations,
    /** Those of explaining arms and filmed ones, too. */
    all,
    invocations,
    looks,
    filmed: loadsOfArms(run, all).filter(({ filmed }) => filmed),
    summariseWith: (choice: AnalysisChoice): MeasuredRun => ({
      run,
      observations,
      summary: summarise(whole, all, calibrated.calibrations, {
        warnings: [...warnings, ...calibrated.warnings],
        invocations,
        looks,
        choice,
      }),
    }),
  };
}

/** The run with the usual browser in labels too, if it has several. */
export function withBrowsersNamed<Run extends Pick<RunRecord, 'arms'>>(run: Run): Run {
  const isUsual = ({ arm }: Run['arms'][number]) => splitBrowser(arm)[1] === null;
  if (run.arms.every(isUsual)) return run;
  const arms = run.arms.map((each) =>
    isUsual(each) ? { ...each, label: labelInBrowser(each.label, each.client) } : each,
  );
  return { ...run, arms };
}
