import { parseHTML } from 'linkedom';
import { reportPage } from '../../../report/sections/index.ts';
import { type ReportView, reportView } from '../../../report/sections/view.ts';
import { type Summary, summarise } from '../../../report/summary/summary.ts';
import type { MadeRun } from '../made-run.ts';
import { type FixtureOptions, fixtureRun } from './fixture-run.ts';

/** A run with a test's choice of its other files. */
type RunRecords = Pick<MadeRun, 'run' | 'observations'> &
  Partial<Pick<MadeRun, 'calibrations' | 'invocations'>>;

export function summaryOf(
  { run, observations, calibrations = [], invocations = [] }: RunRecords,
  options: Parameters<typeof summarise>[3] = {},
): Summary {
  return summarise(run, observations, calibrations, { invocations, ...options });
}

/** The summary of a made-up run of page loads. */
export function fixtureSummary(options: FixtureOptions = {}): Summary {
  return summaryOf(fixtureRun(options));
}

/** Input of a report's sections. */
export function viewOf(
  records: RunRecords,
  more: Parameters<typeof reportView>[3] = {},
): ReportView {
  return reportView(records.run, summaryOf(records), records.observations, more);
}

/** The report of a run. */
export async function documentOf(
  records: RunRecords,
  more: Parameters<typeof reportPage>[3] = {},
): Promise<Document> {
  const { run, observations } = records;
  return parseHTML(await reportPage(run, summaryOf(records), observations, more)).document;
}

/** The texts of the cells of each row, headings of rows included. */
export function cellsOf(
  root: Element | Document | null | undefined,
  rows = 'tbody tr',
): string[][] {
  return [...(root?.querySelectorAll(rows) ?? [])].map((row) =>
    [...row.children].map(({ textContent }) => (textContent ?? '').replace(/\s+/g, ' ').trim()),
  );
}
