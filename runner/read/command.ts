import path from 'node:path';
import { connect } from '../../experiments/connect/experiment.ts';
import { metricNamed } from '../../experiments/experiment.ts';
import { readObservations } from '../../records/read.ts';
import type { RunRecord } from '../../records/run.ts';
import { runFolder } from '../../records/run-folder.ts';
import type { ReportedStudy } from '../../report/study.ts';
import { blocksOf } from '../../report/summary/blocks.ts';
import { pairedDifferences } from '../../report/summary/paired-differences.ts';
import { summaryTable } from '../../report/terminal.ts';
import { counted, countText, decimalText } from '../../report/text/number.ts';
import { wrapped } from '../../report/text/terminal.ts';
import { writeReport } from '../../report/write.ts';
import { readTable } from './read-table.ts';

/** Where the run is to lie, and what is to be written of it beside the report. */
export interface ReadChoices {
  out: string;
  dialect: string | null;
}

/**
 * Makes a run of a table of connections that others measured, and its report. Answers what the terminal shows of it.
 * @throws UsageError when the table cannot be read, or there is something where the run is to lie
 */
export async function readCommand(
  file: string,
  { out, dialect }: ReadChoices,
  sections: ReportedStudy['sections'],
): Promise<string> {
  const folder = path.resolve(out);
  const run = await readTable(file, folder);
  const { columns } = process.stdout;
  const summary = await writeReport(folder, { sections, dialect });
  const lines = await differenceLines(folder, run);
  return [
    `Read ${counted(run.trials.length, 'row')} of ${file}: ${folder}`,
    ...lines.map((line) => wrapped(line, columns)),
    `${summaryTable(summary, columns)}\nReport: ${runFolder(folder).report}`,
  ].join('\n');
}

/** Each arm against every later one, as published comparisons count. */
async function differenceLines(folder: string, run: RunRecord): Promise<string[]> {
  const { observations } = await readObservations(folder, connect);
  const blocks = [...blocksOf(run, observations).values()].flat();
  const metric = metricNamed(connect, run.analysis.metric);
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
