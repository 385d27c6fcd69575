import path from 'node:path';
import { runFolder } from '../records/run-folder.ts';
import { ExitError, UsageError } from '../system/exit-status.ts';
import { writeComparison } from './compare.ts';
import type { ReportedSeries, ReportedStudy } from './study.ts';
import { type AnalysisChoice, AnalysisChoiceError } from './summary/analysis.ts';
import { comparisonText, summaryTable } from './terminal.ts';
import { writeReport } from './write.ts';

const DEFAULT_FOLDER = 'results/latest';

/** Of the terminal; undefined: it is none. */
const { columns } = process.stdout;

/** What is to be written, and what is to take the place of the plan's own analysis; null: nothing is. */
export interface ReportChoices {
  compare: boolean;
  /** Of a comparison; null: where comparisons lie. */
  out: string | null;
  baseline: string | null;
  margin: number | null;
  metric: string | null;
  /** In whose form the attempts are written a second time. */
  dialect: string | null;
}

/**
 * Writes the report of a folder again, or the comparison of two. Answers what the terminal shows of it.
 * @throws UsageError when none can be made
 */
export async function reportCommand(
  folders: readonly string[],
  { compare, out, baseline, margin, metric, dialect }: ReportChoices,
  studies: readonly ReportedStudy[],
): Promise<string> {
  assertFolders(folders, compare);
  const asked = compare ? folders : [folders[0] ?? DEFAULT_FOLDER];
  const choice: AnalysisChoice = {
    ...(baseline !== null && { baseline }),
    ...(margin !== null && { marginPercent: margin }),
    ...(metric !== null && { metric }),
  };
  try {
    return await written(asked, { out, choice, dialect, studies });
  } catch (error) {
    const what = compare ? 'comparison' : 'report';
    throw error instanceof ExitError
      ? new UsageError(`No ${what} can be made of ${asked.join(' and ')}: ${error.message}`)
      : error;
  }
}

async function written(
  folders: readonly string[],
  {
    out,
    choice,
    dialect,
    studies,
  }: {
    out: string | null;
    choice: AnalysisChoice;
    dialect: string | null;
    studies: readonly ReportedStudy[];
  },
): Promise<string> {
  const [folder = '', second] = folders.map((each) => path.resolve(each));
  if (second !== undefined) {
    const { comparison, page } = await writeComparison([folder, second], out, choice);
    return `${comparisonText(comparison, columns)}\nComparison: ${page}`;
  }
  const series = studies.flatMap((study) => study.series ?? []).find((each) => each.isIn(folder));
  if (series) return seriesWritten(folder, series, choice);
  const sections = studies.flatMap((each) => each.sections);
  const summary = await writeReport(folder, { choice, sections, dialect });
  return `${summaryTable(summary, columns)}\nReport: ${runFolder(folder).report}`;
}

/** The runs of a series are what they are: whatever is chosen would make them others. */
async function seriesWritten(
  folder: string,
  series: ReportedSeries,
  choice: AnalysisChoice,
): Promise<string> {
  if (Object.keys(choice).length > 0) {
    throw new AnalysisChoiceError(
      'it holds a series of runs, which have their own baseline, margin and metric. Leave these options out.',
    );
  }
  const { text, place } = await series.report(folder);
  return `${text(columns)}\n${place}`;
}

function assertFolders(folders: readonly string[], compare: boolean): void {
  const most = compare ? 2 : 1;
  if (folders.length > most) {
    const over = folders.slice(most).join(', ');
    throw new UsageError(
      compare
        ? `Two DIRs at a time with --compare; there is also ${over}.`
        : `One DIR at a time; there is also ${over}. Two are compared with --compare.`,
    );
  }
  if (compare && folders.length < most) {
    throw new UsageError(
      'DIR is missing: --compare takes the folders of two runs. See npm run report -- --help.',
    );
  }
}
