import { existsSync } from 'node:fs';
import path from 'node:path';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { printable } from '../../../ground/system/printed.mjs';
import { ratioText, ratioWithInterval } from '../../../kit/text/estimate.ts';
import { alignColumns, wrapText } from '../../../kit/text/terminal.ts';
import type { SeriesReport } from '../../../report/series.ts';
import { answerText } from '../../../report/text/answers.ts';
import { type Ladder, readLadder } from './ladder.ts';
import { LADDER } from './steps.ts';

/**
 * Combines the runs in the folder of a ladder.
 * @throws DamagedRunError if a run is damaged or belongs to another ladder
 */
export async function reportLadder(folder: string): Promise<SeriesReport> {
  const ladder = await readLadder(folder);
  const last = LADDER.findLast((step) =>
    existsSync(path.join(folder, step.folder, pageLoad.recordFile)),
  );
  const reportFolder = last ? path.join(folder, last.folder) : null;
  return {
    text: (columns) => ladderText(ladder, columns),
    resultLine: reportFolder
      ? `Ladder: ${runFolder(reportFolder).report}`
      : 'No step has been measured.',
    reportFolder,
  };
}

/**
 * For a terminal: the first and last step, a line for each step, and the changes; ends with a line feed.
 * @param columns width for wrapping; undefined: not wrapped
 */
function ladderText({ steps, sentences, warnings }: Ladder, columns?: number): string {
  const [first, last] = [steps.at(0)?.result, steps.at(-1)?.result];
  const lines = steps.map(({ title, state, result, ratioChange: change }, index) => [
    `${index}. ${title}`,
    result ? (result.answer.ratio ? ratioWithInterval(result.answer.ratio) : '–') : state,
    change ? `× ${ratioText(change.estimate)}` : '',
  ]);
  const table = alignColumns([['step', 'QUIC ÷ HTTPS', 'change'], ...lines], ['end', 'end', 'end']);
  const text = (sentence: string) => wrapText(printable(sentence), columns);
  return `${[
    ...(first ? [text(`Compared as in 2018. ${answerText(first.answer, first.summary)}`)] : []),
    ...(last && steps.length > 1
      ? [text(`Compared fairly. ${answerText(last.answer, last.summary)}`)]
      : []),
    table.split('\n').map(printable).join('\n'),
    ...[...sentences, ...warnings].map(text),
  ].join('\n\n')}\n`;
}
