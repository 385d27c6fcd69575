import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import type { RunRecord } from '../ground/records/run.ts';
import { comparePage } from './sections/compare-page.ts';
import type { AnalysisChoice } from './summary/analysis.ts';
import { CompareError, compareRuns } from './summary/compare-runs.ts';
import { readRecords } from './summary/measured-run.ts';
import type { Both, RunsComparison } from './summary/runs-comparison.ts';

/**
 * Compares two runs, from the records of both. The same input gives the same numbers.
 * @param folders of the first and of the second run
 * @param choice replaces the baseline, the margin and the metric of both plans
 * @throws DamagedRunError when a folder holds no run, or a damaged one.
 * @throws AnalysisChoiceError when a run lacks the baseline, or the margin is not valid.
 * @throws CompareError when both are the same run, have nothing in common, or were planned with different baselines,
 * margins or metrics and none is chosen.
 */
export async function readComparison(
  folders: Both<string>,
  choice: AnalysisChoice = {},
): Promise<RunsComparison> {
  const [first, second] = [await readRecords(folders[0]), await readRecords(folders[1])];
  const runs: Both<RunRecord> = [first.run, second.run];
  await assertTwoRuns(folders, runs);
  if (choice.baseline === undefined) {
    plannedByBoth(runs, ['baseline', '--baseline STACK'], (run) => run.analysis.baseline);
  }
  const analysis = {
    ...choice,
    marginPercent:
      choice.marginPercent ??
      plannedByBoth(runs, ['margin', '--margin PERCENT'], (run) => run.analysis.marginPercent),
    metric:
      choice.metric ??
      plannedByBoth(runs, ['metric', '--metric page-load|document'], (run) => run.analysis.metric),
  };
  return compareRuns([first.summariseWith(analysis), second.summariseWith(analysis)]);
}

/**
 * Writes compare.json and compare.html, each as a whole. The same input gives the same bytes.
 * @param out folder for both files, made if missing; null: `results/compare-<first>-<second>`
 * @returns path of the page
 */
export async function writeComparison(
  comparison: RunsComparison,
  out: string | null = null,
): Promise<string> {
  const [first, second] = comparison.runs;
  const folder = out ?? path.join('results', `compare-${fileName(first)}-${fileName(second)}`);
  const page = path.resolve(folder, 'compare.html');
  await mkdir(folder, { recursive: true });
  await writeFileAtomically(
    path.join(folder, 'compare.json'),
    `${JSON.stringify(comparison, null, 1)}\n`,
  );
  await writeFileAtomically(page, comparePage(comparison));
  return page;
}

/** A run and its copy would agree without meaning anything, and metrics of one name differ between experiments. */
async function assertTwoRuns(folders: Both<string>, [first, second]: Both<RunRecord>) {
  const [own, other] = await Promise.all(folders.map((folder) => realpath(folder)));
  if (own === other || (first.runId === second.runId && first.startedAt === second.startedAt)) {
    throw new CompareError(
      `Both folders hold the same run, ${first.runId}: expected two runs. Name the folder of another one.`,
    );
  }
  if (first.experiment !== second.experiment) {
    throw new CompareError(
      `The first run has the experiment ${first.experiment}, the second ${second.experiment}: expected one for both. Their attempts are not paired, and their times begin and end with other events. Measure what you compare in one run; the --help of each experiment names its stacks.`,
    );
  }
}

function plannedByBoth<Value extends string | number>(
  [first, second]: Both<RunRecord>,
  [what, option]: readonly [what: string, option: string],
  of: (run: RunRecord) => Value,
): Value {
  const [planned, other] = [of(first), of(second)];
  if (planned === other) return planned;
  throw new CompareError(
    `The first run was planned with the ${what} ${planned}, the second with ${other}: expected one for both. Choose it with ${option}.`,
  );
}

/** A run's name as part of a file's name: a record could hold any text. */
export function fileName({ runId }: Pick<RunRecord, 'runId'>): string {
  return runId.replaceAll(/[^\w:.-]|^\.+/g, '_').slice(0, 80);
}
