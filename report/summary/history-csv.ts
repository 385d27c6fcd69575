import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import { precise } from './csv.ts';
import type { HistoryPoint, HistoryQuestion, HistoryRun, RunsHistory } from './runs-history.ts';

/** The points of a history as a table, written as summary.csv is: a row for each question and run. */
export function historyCsv(history: RunsHistory): string {
  const lines = history.questions.flatMap((question) =>
    question.points.flatMap((point) => {
      const run = history.runs[point.run];
      return run ? [lineOf(question, point, run)] : [];
    }),
  );
  const [first] = lines;
  const head = first ? [csvLine(Object.keys(first))] : [];
  return `${[...head, ...lines.map((line) => csvLine(Object.values(line)))].join('\n')}\n`;
}

function lineOf(
  { arm, baseline, network, variant, levels }: HistoryQuestion,
  { run, ratio, nPairs, nFailed, excluded, isApart }: HistoryPoint,
  { runId, startedAt, changed }: HistoryRun,
): Record<string, CsvValue> {
  const level =
    excluded === null ? levels.findIndex(({ from, to }) => from <= run && run <= to) : -1;
  return {
    stack: arm,
    baseline,
    network: network.name,
    variant,
    run_id: runId,
    started_at: startedAt,
    changed: changed
      .map(({ fact, before, after }) => `${fact}: ${before ?? ''} -> ${after ?? ''}`)
      .join('; '),
    n_pairs: nPairs,
    n_failed: nFailed.arm,
    n_failed_baseline: nFailed.baseline,
    ratio: precise(ratio?.estimate),
    ratio_low: precise(ratio?.low),
    ratio_high: precise(ratio?.high),
    level: level === -1 ? null : level + 1,
    level_ratio: precise(levels[level]?.ratio),
    is_apart: Number(isApart),
    excluded,
  };
}
