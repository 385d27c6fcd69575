import { existsSync } from 'node:fs';
import { mkdir, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { experimentOf } from '../experiments/index.ts';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import { readRun } from '../ground/records/read.ts';
import type { RunRecord } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { EXIT, ExitError, UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { countText, countWithNoun } from '../kit/text/number.ts';
import { fileName } from './compare.ts';
import { historyPage } from './sections/history-page.ts';
import { type AnalysisChoice, AnalysisChoiceError } from './summary/analysis.ts';
import { type AnsweredRun, answerRun, historyOf } from './summary/history.ts';
import { historyCsv } from './summary/history-csv.ts';
import { readRecords } from './summary/measured-run.ts';
import { contentDifferences } from './summary/plan-differences.ts';
import { progressOf } from './summary/progress.ts';
import type { FactDifference } from './summary/runs-comparison.ts';
import type { ExcludedRun, RunsHistory } from './summary/runs-history.ts';

/** Older ones are excluded: the test of levels takes seconds for as many. */
const MOST_RUNS = 300;

/** Entries of a folder, so that no other folder is searched for long. */
const MOST_ENTRIES = 10_000;

/** Differences of plans in a reason. */
const MOST_DIFFERENCES = 3;

/** There are not two runs of one plan; the message says why. */
class HistoryError extends ExitError {
  override name = 'HistoryError';
  readonly exitStatus = EXIT.usage;
}

interface FoundRun {
  folder: string;
  /** Without its trials. */
  run: RunRecord;
}

/** Reason for an exclusion, and the start of the run if it is known. */
type Exclusion = Omit<ExcludedRun, 'isNewer'> & { startedAt?: string };

/**
 * Reads the runs of one plan and finds changes of their ratios. The same input gives the same numbers.
 * @param folders of runs, or with folders of runs in them
 * @param choice replaces the baseline, the margin and the metric of the plan
 * @throws HistoryError when no two runs of one plan can be read
 * @throws UsageError when a folder has no run in it
 * @throws AnalysisChoiceError when the runs do not allow the analysis chosen
 */
export async function readHistory(
  folders: readonly string[],
  choice: AnalysisChoice = {},
): Promise<RunsHistory> {
  const excluded: Exclusion[] = [];
  const found = await readRuns(await foldersOfRuns(folders), excluded);
  const newestFirst = found.toSorted(
    (a, b) => compareText(b.run.startedAt, a.run.startedAt) || compareText(a.folder, b.folder),
  );
  const { answered, ofPlan } = await newestPlan(plansOf(newestFirst, choice), choice, excluded);
  for (const each of newestFirst.filter((run) => !ofPlan.includes(run))) {
    excluded.push(ofOtherPlan(each, ofPlan[0], choice));
  }
  if (answered.length < 2) throw tooFew(answered, excluded);
  const inTime = answered.toSorted((a, b) => compareText(a.startedAt, b.startedAt));
  const newest =
    answered
      .map(({ run }) => run.startedAt)
      .toSorted(compareText)
      .at(-1) ?? '';
  return historyOf(inTime, {
    choice,
    excluded: excluded.map(({ startedAt = '', ...each }) => ({
      ...each,
      isNewer: startedAt > newest,
    })),
  });
}

/**
 * Writes history.json, history.csv and history.html, each as a whole. The same input gives the same bytes.
 * @param out folder for the files, made if missing; null: `results/history-<first>-<last>`
 * @returns path of the page
 */
export async function writeHistory(
  history: RunsHistory,
  out: string | null = null,
): Promise<string> {
  const ends = [history.runs.at(0), history.runs.at(-1)].flatMap((run) =>
    run ? [fileName(run)] : [],
  );
  const folder = out ?? path.join('results', `history-${ends.join('-')}`);
  const page = path.resolve(folder, 'history.html');
  await mkdir(folder, { recursive: true });
  await writeFileAtomically(
    path.join(folder, 'history.json'),
    `${JSON.stringify(history, null, 1)}\n`,
  );
  await writeFileAtomically(path.join(folder, 'history.csv'), historyCsv(history));
  await writeFileAtomically(page, historyPage(history));
  return page;
}

/** Each folder with a run once, however often it is named. */
async function foldersOfRuns(folders: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const isRun = existsSync(runFolder(folder).run);
    const runs = isRun ? [await realpath(folder)] : await runsIn(folder);
    if (runs.length === 0) {
      throw new UsageError(
        `${folder} has no run.json, and no folder in it has one. Expected the folder of a run, or one with folders of runs, for example results.`,
      );
    }
    for (const run of runs) found.add(run);
  }
  return [...found];
}

/** Links are skipped, such as results/latest. */
async function runsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  try {
    const whole = await realpath(folder);
    if (!(await stat(whole)).isDirectory()) return [];
    let entries = 0;
    for await (const entry of await opendir(whole)) {
      entries += 1;
      if (entries > MOST_ENTRIES) {
        throw new UsageError(
          `${folder} has more than ${countText(MOST_ENTRIES)} entries. Name the folders of the runs, or put them into a folder of their own.`,
        );
      }
      const each = path.join(whole, entry.name);
      if (entry.isDirectory() && existsSync(runFolder(each).run)) found.push(each);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${folder} cannot be read: ${reasonOf(error)}. Expected the folder of a run, or one with folders of runs.`,
    );
  }
  return found.toSorted(compareText);
}

async function readRuns(folders: readonly string[], excluded: Exclusion[]): Promise<FoundRun[]> {
  const found: FoundRun[] = [];
  for (const folder of folders) {
    const run = await orExcluded({ folder }, excluded, () => readKnownRun(folder));
    if (run) found.push({ folder, run: { ...run, trials: [] } });
  }
  return found;
}

async function readKnownRun(folder: string): Promise<RunRecord> {
  const run = await readRun(folder);
  experimentOf(run);
  return run;
}

/** Runs by plan; the plan with the newest run first. */
function plansOf(newestFirst: readonly FoundRun[], choice: AnalysisChoice): FoundRun[][] {
  const plans: FoundRun[][] = [];
  for (const each of newestFirst) {
    const own = plans.find(([first]) => first && differencesOf(first, each, choice).length === 0);
    if (own) own.push(each);
    else plans.push([each]);
  }
  return plans;
}

/** The first plan with two runs that can be read; without one, the first plan. */
async function newestPlan(
  plans: readonly FoundRun[][],
  choice: AnalysisChoice,
  excluded: Exclusion[],
): Promise<{ answered: AnsweredRun[]; ofPlan: readonly FoundRun[] }> {
  const read = [];
  for (const ofPlan of plans) {
    const own: Exclusion[] = [];
    const answered = await answerAll(ofPlan, choice, own);
    read.push({ answered, ofPlan, own });
    if (answered.length >= 2) break;
  }
  const chosen = read.find(({ answered }) => answered.length >= 2) ?? read[0];
  excluded.push(...(chosen?.own ?? []));
  return chosen ?? { answered: [], ofPlan: [] };
}

/** A copy of a run that was read is excluded, as are older runs beyond the limit. */
async function answerAll(
  newestFirst: readonly FoundRun[],
  choice: AnalysisChoice,
  excluded: Exclusion[],
): Promise<AnsweredRun[]> {
  const answered = new Map<string, { folder: string; answers: AnsweredRun }>();
  for (const each of newestFirst) {
    const { runId, startedAt } = each.run;
    const key = JSON.stringify([runId, startedAt]);
    const same = answered.get(key);
    if (same) {
      const [name, kept] = copyNames(each.folder, same.folder);
      excluded.push({ name, reason: `The same run as in ${kept}.` });
    } else if (answered.size >= MOST_RUNS) {
      excluded.push({
        name: runId,
        reason: `Only the ${MOST_RUNS} newest runs of a plan are read.`,
      });
    } else {
      const answers = await orExcluded(each, excluded, () => readAnswers(each, choice));
      if (answers) answered.set(key, { folder: each.folder, answers });
    }
  }
  return [...answered.values()].map(({ answers }) => answers);
}

/** Names of two folders, with those above them if they are equal. */
function copyNames(...folders: [string, string]): [string, string] {
  const [copy, kept] = folders.map((each) => path.basename(each)) as [string, string];
  if (copy !== kept) return [copy, kept];
  return folders.map((each) => path.join(path.basename(path.dirname(each)), copy)) as [
    string,
    string,
  ];
}

function ofOtherPlan(
  { folder, run }: FoundRun,
  reference: FoundRun | undefined,
  choice: AnalysisChoice,
): Exclusion {
  const differences = reference ? differencesOf(reference, { folder, run }, choice) : [];
  const more = differences.length - MOST_DIFFERENCES;
  return {
    name: run.runId,
    startedAt: run.startedAt,
    reason: [
      `Another plan than that of ${reference?.run.runId}, the first of the two.`,
      ...differences.slice(0, MOST_DIFFERENCES),
      ...(more > 0 ? [`And ${countWithNoun(more, 'more difference')}.`] : []),
    ].join(' '),
  };
}

/** What may differ: every run has its own seed by default, and older versions lack newer choices. */
function mayDiffer({ fact, values }: FactDifference): boolean {
  const isLater = fact.startsWith('choices.') && values.includes(null);
  return isLater || fact === 'seed' || fact.startsWith('analysis.mix');
}

function differencesOf(first: FoundRun, second: FoundRun, choice: AnalysisChoice): string[] {
  if (first.run.experiment !== second.run.experiment) {
    return [`The experiments are ${first.run.experiment} and ${second.run.experiment}.`];
  }
  const chosen = Object.keys(choice).map((name) => `analysis.${name}`);
  return contentDifferences(
    first.run,
    second.run,
    (each) => mayDiffer(each) || chosen.includes(each.fact),
  );
}

async function readAnswers({ folder }: FoundRun, choice: AnalysisChoice): Promise<AnsweredRun> {
  const records = await readRecords(folder);
  const { run, observations, looks } = records;
  const { complete, donePageLoads, plannedPageLoads } = progressOf(run, observations, looks);
  if (!complete) {
    throw new HistoryError(
      `It has not ended: ${countText(donePageLoads)} of ${countText(plannedPageLoads)} ${experimentOf(run).attempt[1]} are done.`,
    );
  }
  return answerRun(records, choice);
}

/** undefined: excluded, because its files or their content are not valid. */
async function orExcluded<Result>(
  { folder, run }: { folder: string; run?: RunRecord },
  excluded: Exclusion[],
  read: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ExitError) || error instanceof AnalysisChoiceError) throw error;
    excluded.push({
      name: path.basename(folder),
      ...(run && { startedAt: run.startedAt }),
      // The page does not depend on where the folders are.
      reason: error.message.replaceAll(`${folder}${path.sep}`, ''),
    });
    return undefined;
  }
}

function tooFew(answered: readonly AnsweredRun[], excluded: readonly Exclusion[]): HistoryError {
  const reasons = excluded
    .slice(0, MOST_DIFFERENCES)
    .map(({ name, reason }) => `${name}: ${reason}`);
  return new HistoryError(
    [
      `${countWithNoun(answered.length, 'run')} of one plan can be read, expected two at least.`,
      ...reasons,
      ...(excluded.length > MOST_DIFFERENCES
        ? [`And ${countText(excluded.length - MOST_DIFFERENCES)} more.`]
        : []),
    ].join(' '),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
