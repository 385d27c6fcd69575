import { experimentOf } from '../experiments/index.ts';
import {
  readCalibrations,
  readInvocations,
  readLooks,
  readObservations,
  readRun,
} from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import { writeWhole } from '../records/whole-file.ts';
import type { AnalysisChoice } from './analysis-used.ts';
import { reportPage } from './html/page.ts';
import { readKeptHars } from './kept-hars.ts';
import type { ReportedStudy } from './study.ts';
import { type Summary, summarise } from './summary.ts';
import { summaryCsv } from './summary-csv.ts';
import { siteStories } from './waterfall/site-stories.ts';

/** What a report can be given beside the run. */
export interface ReportAdditions {
  /** What takes the place of the baseline, the margin and the metric that the plan has. */
  choice?: AnalysisChoice;
  /** Sections of the page that are not the report's own. */
  sections?: ReportedStudy['sections'];
}

/**
 * Writes summary.json, summary.csv and report.html of a run from run.json, page-loads.jsonl, calibrations.jsonl,
 * invocations.jsonl, looks.jsonl and the HARs of the median loads. The same input gives the same bytes, and no file is ever half written.
 * @throws DamagedRunError when the folder holds no run, or a damaged one.
 * @throws AnalysisChoiceError when the run has no such baseline, or the margin is none.
 */
export async function writeReport(
  folder: string,
  { choice = {}, sections = [] }: ReportAdditions = {},
): Promise<Summary> {
  const files = runFolder(folder);
  const run = await readRun(folder);
  const { observations, warnings } = await readObservations(folder, experimentOf(run));
  const calibrated = await readCalibrations(folder);
  const summary = summarise(run, observations, calibrated.calibrations, {
    warnings: [...warnings, ...calibrated.warnings],
    invocations: await readInvocations(folder),
    looks: await readLooks(folder),
    choice,
  });
  await writeWhole(files.summaryJson, `${JSON.stringify(summary, null, 1)}\n`);
  await writeWhole(files.summaryCsv, summaryCsv(summary));
  const kept = await readKeptHars(folder, run);
  const stories = await siteStories(folder, run, summary, observations, kept);
  const page = reportPage(run, summary, observations, { stories, kept, sections });
  await writeWhole(files.report, page);
  return summary;
}
