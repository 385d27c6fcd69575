import path from 'node:path';
import { type Experiment, metricNamed } from '../../ground/experiment.ts';
import { LOAD_OPTIONS } from '../../ground/options/loads.ts';
import { TABLE_OPTIONS } from '../../ground/options/tables.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { readObservations } from '../../ground/records/read.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import { wrapText } from '../../kit/text/terminal.ts';
import type { LoadStudies } from '../../report/study.ts';
import { blocksOf } from '../../report/summary/blocks.ts';
import { pairedDifferences } from '../../report/summary/paired-differences.ts';
import { summaryTable } from '../../report/terminal.ts';
import { writeReport } from '../../report/write.ts';
import type { CommandLine } from '../../runner/command-line/command-line.ts';
import { pointLatestTo, resultsFolder } from '../../runner/results.ts';
import { readTable } from './read-table.ts';

const READ_OPTIONS = { ...TABLE_OPTIONS, out: LOAD_OPTIONS.out };

/**
 * Converts a table of published connections to a run with a report. Returns what the terminal shows.
 * @throws UsageError if the table cannot be read, or the folder of the run exists
 */
export async function readCommand(
  { given, operands }: Pick<CommandLine, 'given' | 'operands'>,
  experiment: Experiment,
  studies: LoadStudies,
): Promise<string> {
  assertAlone(Object.keys(given), operands);
  const { read: file, out, dialect } = valuesOf(READ_OPTIONS, given);
  if (file === null) throw new UsageError('--read is missing: expected the file to read.');
  const folder = out === null ? path.join(resultsFolder, nameOf(file)) : path.resolve(out);
  const run = await readTable(experiment, file, folder);
  await pointLatestTo(folder);
  const { columns } = process.stdout;
  const summary = await writeReport(folder, { studies, dialect });
  const lines = await differenceLines(folder, run, experiment);
  return [
    `Read ${countWithNoun(run.trials.length, 'row')} of ${file}: ${folder}`,
    ...lines.map((line) => wrapText(line, columns)),
    `${summaryTable(summary, columns)}\nReport: ${runFolder(folder).report}`,
  ].join('\n');
}

/** Options that decide how to measure have no effect here. */
function assertAlone(names: readonly string[], operands: readonly string[]): void {
  const other = names.find((name) => !Object.hasOwn(READ_OPTIONS, name));
  if (other !== undefined) {
    throw new UsageError(
      `--${other} cannot be used with --read: the measurements are already made.`,
    );
  }
  const [host] = operands;
  if (host !== undefined) {
    throw new UsageError(`${host}: with --read, the hosts are those of the file.`);
  }
}

/** Default name of the run's folder. */
function nameOf(file: string): string {
  return path.basename(file).replace(/(\.csv)?(\.gz)?$/, '') || 'read';
}

/** Each arm against every later one, as published comparisons do. */
async function differenceLines(
  folder: string,
  run: RunRecord,
  experiment: Experiment,
): Promise<string[]> {
  const { observations } = await readObservations(folder, experiment);
  const blocks = [...blocksOf(run, observations).values()].flat();
  const metric = metricNamed(experiment, run.analysis.metric);
  return run.arms.flatMap(({ arm, label }, place) =>
    run.arms.slice(place + 1).flatMap((other) => {
      const found = pairedDifferences(blocks, metric, arm, other.arm);
      if (found.nPairs === 0 || found.median === null) return [];
      const shares = found.soonerBy.map(
        ({ atLeast, percent }) => `by ${atLeast} ms or more in ${decimalText(percent ?? 0, 1)} %`,
      );
      return [
        `${other.label} less ${label}, ${metric.phrase}: ${countText(found.nPairs)} pairs, median ${found.median.toFixed(1)} ms, above 0 in ${decimalText(found.soonerPercent ?? 0, 1)} %, ${shares.join(', ')}`,
      ];
    }),
  );
}
