import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { experimentOf, tablesOf } from '../experiments/index.ts';
import { sectionsOf } from '../experiments/sections-of.ts';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import { readPackets } from '../ground/records/read.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import type { Chart } from '../kit/page/chart.ts';
import { pageBase } from '../kit/page/links.ts';
import { writeCharts } from './chart-files.ts';
import { readKeptHars } from './sections/hars.ts';
import { reportPage } from './sections/index.ts';
import { readCarriedLoads } from './sections/link-file.ts';
import { siteStories } from './sections/site-stories.ts';
import { type LoadStudies, sectionsOfStudies } from './study.ts';
import type { AnalysisChoice } from './summary/analysis.ts';
import { summaryCsv } from './summary/csv.ts';
import { readRecords } from './summary/measured-run.ts';
import type { Summary } from './summary/summary.ts';

/**
 * Writes summary.json, summary.csv and report.html of a run, and condition-changes.csv if conditions are compared.
 * The same input gives the same bytes, and each file is written as a whole.
 * @param choice replaces the baseline, the margin and the metric of the plan
 * @param studies studies whose sections the page has if they concern the run
 * @param dialect format of another tool, in which the attempts are written to a further file
 * @param out an empty folder for these files; null: the folder of the run
 * @param charts an empty folder for the charts of the page, each as SVG and CSV
 * @throws DamagedRunError when the folder holds no run, or a damaged one.
 * @throws UsageError when the experiment of the run has no such dialect
 * @throws AnalysisChoiceError when the run lacks the baseline, or the margin is not valid.
 */
export async function writeReport(
  folder: string,
  {
    choice = {},
    studies = async () => [],
    dialect = null,
    out = null,
    charts = null,
  }: {
    choice?: AnalysisChoice;
    studies?: LoadStudies;
    dialect?: string | null;
    out?: string | null;
    charts?: string | null;
  } = {},
): Promise<Summary> {
  const files = runFolder(out ?? folder);
  const { run, invocations, filmed, summariseWith } = await readRecords(folder);
  const { observations, summary } = summariseWith(choice);
  const tables = await tablesOf(experimentOf(run), dialect);
  await writeFileAtomically(files.summaryJson, `${JSON.stringify(summary, null, 1)}\n`);
  await writeFileAtomically(files.summaryCsv, summaryCsv(summary));
  if (summary.conditionChanges.length > 0) {
    const { conditionChangesCsv } = await import('./summary/condition-changes-csv.ts');
    await writeFileAtomically(files.conditionChangesCsv, conditionChangesCsv(summary));
  }
  for (const { file, text } of tables) {
    await writeFileAtomically(path.join(out ?? folder, file), text(run, observations, invocations));
  }
  const kept = await readKeptHars(folder, run);
  const stories = experimentOf(run).loadsPages
    ? await siteStories(folder, run, summary, observations, kept)
    : [];
  const captures = await readPackets(folder);
  const shown = new Set(summary.rows.flatMap(({ loads }) => loads?.median ?? []));
  const carried = await readCarriedLoads(folder, shown, observations);
  const own = await sectionsOf(experimentOf(run), folder, filmed);
  let drawn: readonly Chart[] = [];
  const page = await reportPage(run, summary, observations, {
    kept,
    stories,
    captures,
    carried,
    own,
    sections: await sectionsOfStudies(studies, run, folder),
    base: out === null ? '' : pageBase(out, await realpath(folder)),
    withCharts: (found) => {
      drawn = found;
    },
  });
  await writeFileAtomically(files.report, page);
  if (charts !== null) await writeCharts(charts, drawn);
  return summary;
}
