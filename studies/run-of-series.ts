import { existsSync } from 'node:fs';
import path from 'node:path';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import { DamagedRunError } from '../ground/records/damaged-run.ts';
import type { InvocationRecord } from '../ground/records/invocation.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { readPlainText } from '../ground/system/plain-file.ts';
import { presetOfRun, type RunOfSeries, type Series, seriesFolder } from '../report/series.ts';
import { type MeasuredRun, readRecords } from '../report/summary/measured-run.ts';

/** A run of a series; interrupted: it ended before its plan was complete. */
type MeasuredPart =
  | { state: 'not measured' | 'interrupted'; measured: null }
  | { state: 'measured'; measured: MeasuredRun; invocations: readonly InvocationRecord[] };

/**
 * Reads a run from the folder of its series.
 * @throws DamagedRunError if the run is damaged, or has another preset or another plan than the frozen one
 */
export async function readRunOfSeries(
  series: Pick<Series, 'name'>,
  part: RunOfSeries,
  folder: string,
): Promise<MeasuredPart> {
  const files = seriesFolder(folder);
  const own = files.run(part);
  if (!existsSync(runFolder(own).run)) return { state: 'not measured', measured: null };
  if (!existsSync(path.join(own, pageLoad.recordFile)))
    return { state: 'interrupted', measured: null };
  const { run, invocations, summariseWith } = await readRecords(own);
  const preset = presetOfRun(series, part);
  if (run.preset !== preset) {
    throw new DamagedRunError(
      `${own} holds a run of ${run.preset === null ? 'no preset' : `the preset ${run.preset}`}, expected one of ${preset}.`,
    );
  }
  const plan = files.plan(part);
  if (existsSync(plan) && JSON.parse(await readPlainText(plan)).planSha256 !== run.planSha256) {
    throw new DamagedRunError(
      `${own} and ${plan} have different plans. Move the run away, and resume the measurement.`,
    );
  }
  const measured = summariseWith({});
  return measured.summary.progress.complete
    ? { state: 'measured', measured, invocations }
    : { state: 'interrupted', measured: null };
}
