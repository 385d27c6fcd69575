import { ratioText } from '../../../report/html/estimate-text.ts';
import { printable, wrapped } from '../../../report/terminal-text.ts';
import { factorText } from './sentences.ts';
import type { LadderSummary } from './summary.ts';

/**
 * What a terminal shows of a ladder: its ends, a line for each step, and what the changes did; ends with a line feed.
 * @param columns of the terminal, at which sentences are broken; undefined: not at all
 */
export function ladderText(
  { steps, sentences, warnings }: LadderSummary,
  columns?: number,
): string {
  const [first, last] = [steps.at(0)?.result, steps.at(-1)?.result];
  const lines = steps.map(({ title, state, result, ratioChange }, index) => [
    `${index}. ${title}`,
    result ? factorText(result.ratio) : state,
    ratioChange ? `× ${ratioText(ratioChange.estimate)}` : '',
  ]);
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const table = [['step', 'QUIC ÷ HTTPS', 'change'], ...lines]
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
    ...(last && steps.length > 1 ? [text(`Compared fairly. ${last.sentence}`)] : []),
    table.split('\n').map(printable).join('\n'),
    ...[...sentences, ...warnings].map(text),
  ].join('\n\n')}\n`;
}
