import { ratioText } from '../text/estimate.ts';
import { printable, wrapped } from '../text/terminal.ts';
import { factorText } from './ladder-sentences.ts';
import type { LadderSummary } from './ladder-summary.ts';

/**
 * What a terminal shows of a ladder: its ends, a line for each rung, and what the changes did; ends with a line feed.
 * @param columns of the terminal, at which sentences are broken; undefined: not at all
 */
export function ladderText(
  { rungs, sentences, warnings }: LadderSummary,
  columns?: number,
): string {
  const [first, last] = [rungs.at(0)?.result, rungs.at(-1)?.result];
  const lines = rungs.map(({ title, state, result, ratioChange }, index) => [
    `${index}. ${title}`,
    result ? factorText(result.ratio) : state,
    ratioChange ? `× ${ratioText(ratioChange.estimate)}` : '',
  ]);
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const table = [['rung', 'QUIC ÷ HTTPS', 'change'], ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(width(column) + 3))
        .join('')
        .trimEnd(),
    )
    .join('\n');
  const text = (sentence: string) => wrapped(printable(sentence), columns);
  return `${[
    ...(first ? [text(`Compared as in 2018. ${first.sentence}`)] : []),
    ...(last && rungs.length > 1 ? [text(`Compared fairly. ${last.sentence}`)] : []),
    table.split('\n').map(printable).join('\n'),
    ...[...sentences, ...warnings].map(text),
  ].join('\n\n')}\n`;
}
