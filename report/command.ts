import { existsSync } from 'node:fs';
import path from 'node:path';
import { UnknownExperimentError } from '../experiments/index.ts';
import { firstNames } from '../ground/first-names.ts';
import type { Mix } from '../ground/records/mix.ts';
import { readRun } from '../ground/records/read.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { EXIT, ExitError, UsageError } from '../ground/system/exit-status.ts';
import { assertPlainFolder } from '../ground/system/plain-folder.ts';
import { wrapText } from '../kit/text/terminal.ts';
import { readComparison, writeComparison } from './compare.ts';
import { type FindingsFiles, withFindingsFiles } from './findings/files.ts';
import { type Findings, findingsOfRun, findingsOfRuns } from './findings/findings.ts';
import { readHistory, writeHistory } from './history.ts';
import { listingOfRun } from './listing.ts';
import { makeNewFolder } from './new-folder.ts';
import { isSeriesFolder, type Series } from './series.ts';
import type { LoadStudies } from './study.ts';
import { type AnalysisChoice, AnalysisChoiceError } from './summary/analysis.ts';
import { assertRuleOfRuns, failRuleFor, outcomeOf, outcomeOfRuns } from './summary/fail-if.ts';
import { outcomeLines, type RuleOutcome, readFailRule, statusOf } from './summary/fail-rule.ts';
import type { Both } from './summary/runs-comparison.ts';
import { comparisonText, historySentences, summaryTable } from './terminal.ts';
import { writeReport } from './write.ts';

const DEFAULT_FOLDER = 'results/latest';
const DEFAULT_HISTORY = 'results';

/** Width of the terminal; undefined: no terminal. */
const { columns } = process.stdout;

/** Files to write, and the analysis that replaces the plan's. null: not chosen. */
interface ReportChoices extends FindingsFiles {
  compare: boolean;
  history: boolean;
  /** Null: the folder of the run, or the usual folder of comparisons and histories. */
  out: string | null;
  baseline: string | null;
  margin: number | null;
  metric: string | null;
  mix: Mix | null;
  /** Format in which the attempts are written a second time. */
  dialect: string | null;
  /** Folder for the charts of the report. */
  charts: string | null;
  'fail-if': string | null;
}

interface ReportRequest {
  out: string | null;
  choice: AnalysisChoice;
  dialect: string | null;
  charts: string | null;
  /** A rule as the user gave it. */
  failIf: string | null;
  studies: LoadStudies;
}

interface ReportResult {
  /** Text for the terminal. */
  text: string;
  outcome: RuleOutcome | null;
  findings: Findings | null;
}

/**
 * Writes the report of a folder, or the comparison of two, again, and checks a rule. Returns the exit status.
 * @throws UsageError when no report or comparison can be made
 */
export async function reportCommand(
  folders: readonly string[],
  {
    compare,
    history,
    out,
    baseline,
    margin,
    metric,
    mix,
    dialect,
    charts,
    ...choices
  }: ReportChoices,
  { studies, print }: { studies: LoadStudies; print: (text: string) => void },
): Promise<number> {
  if (!history) assertFolders(folders, compare);
  const named = compare ? folders : [folders[0] ?? DEFAULT_FOLDER];
  const choice: AnalysisChoice = {
    ...(baseline !== null && { baseline }),
    ...(margin !== null && { marginPercent: margin }),
    ...(metric !== null && { metric }),
    ...(mix !== null && { mix }),
  };
  if (history) {
    print(await reportHistory(folders.length === 0 ? [DEFAULT_HISTORY] : folders, choice, out));
    return EXIT.ok;
  }
  const request = { out, choice, dialect, charts, failIf: choices['fail-if'], studies };
  return withFindingsFiles(choices, async (found) => {
    try {
      const { text, outcome, findings } = await makeReport(named, request);
      if (findings) found(findings);
      print([text, ...linesOf(outcome)].join('\n'));
      return (outcome && statusOf(outcome)) ?? EXIT.ok;
    } catch (error) {
      if (error instanceof UnknownExperimentError) {
        for (const folder of named) print(await listingOfRun(path.resolve(folder)));
      }
      const what = compare ? 'comparison' : 'report';
      throw error instanceof ExitError
        ? new UsageError(`No ${what} can be made of ${named.join(' and ')}: ${error.message}`)
        : error;
    }
  });
}

function linesOf(outcome: RuleOutcome | null): string[] {
  return outcome ? outcomeLines(outcome).map((line) => wrapText(line, columns)) : [];
}

async function makeReport(
  folders: readonly string[],
  request: ReportRequest,
): Promise<ReportResult> {
  const [folder = '', second] = folders.map((each) => path.resolve(each));
  if (second !== undefined) return reportComparison([folder, second], request);
  if (existsSync(runFolder(folder).run)) return reportRun(folder, request);
  const series = (await request.studies())
    .flatMap((study) => study.series ?? [])
    .find((each) => isSeriesFolder(each, folder));
  if (!series) return reportRun(folder, request);
  assertPlainFolder(folder);
  return reportSeries(folder, series, request);
}

async function reportRun(
  folder: string,
  { out, choice, dialect, charts, failIf, studies }: ReportRequest,
): Promise<ReportResult> {
  if (out !== null) await makeNewFolder('out', out, folder);
  if (charts !== null) await makeNewFolder('charts', charts);
  const rule = failIf === null ? null : failRuleFor(await readRun(folder), failIf, choice.baseline);
  const summary = await writeReport(folder, { choice, studies, dialect, out, charts });
  const outcome = rule && outcomeOf(rule, summary);
  const { report } = runFolder(path.resolve(out ?? folder));
  return {
    text: `${summaryTable(summary, columns)}\nReport: ${report}${charts === null ? '' : `\nCharts: ${path.resolve(charts)}`}`,
    outcome,
    // Failures belong to the measurement, not to this command.
    findings: { ...findingsOfRun(summary, outcome, report), attempts: [] },
  };
}

async function reportComparison(
  folders: Both<string>,
  { out, choice, failIf }: ReportRequest,
): Promise<ReportResult> {
  const rule = failIf === null ? null : readFailRule(failIf);
  const comparison = await readComparison(folders, choice);
  if (rule) assertRuleOfRuns(rule, comparison);
  const page = await writeComparison(comparison, out);
  const outcome = rule && outcomeOfRuns(rule, comparison);
  return {
    text: `${comparisonText(comparison, columns)}\nComparison: ${page}`,
    outcome,
    findings: findingsOfRuns(comparison, outcome, page),
  };
}

async function reportHistory(
  folders: readonly string[],
  choice: AnalysisChoice,
  out: string | null,
): Promise<string> {
  try {
    const history = await readHistory(folders, choice);
    const page = await writeHistory(history, out);
    return `${historySentences(history, columns)}\nHistory: ${page}`;
  } catch (error) {
    throw error instanceof ExitError
      ? new UsageError(`No history can be made of ${firstNames(folders)}: ${error.message}`)
      : error;
  }
}

/** The runs of a series have their own plans, so no choice applies to them. */
async function reportSeries(
  folder: string,
  series: Series,
  { out, choice, failIf, studies, charts }: ReportRequest,
): Promise<ReportResult> {
  if (Object.keys(choice).length > 0 || failIf !== null) {
    throw new AnalysisChoiceError(
      'it holds a series of runs, whose plans fix baseline, margin, metric and mix. Remove these options.',
    );
  }
  for (const [option, given] of Object.entries({ out, charts })) {
    if (given === null) continue;
    throw new UsageError(
      `--${option}: the folder holds a series of runs. Give the folder of one of its runs.`,
    );
  }
  const { text, resultLine, reportFolder } = await series.report(folder);
  if (reportFolder !== null) await writeReport(reportFolder, { studies });
  return { text: `${text(columns)}\n${resultLine}`, outcome: null, findings: null };
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
