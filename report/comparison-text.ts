import { printable, wrapped } from './text/terminal.ts';
import { factName } from './text/fact-name.ts';
import type { RunsComparison } from './summary/runs-comparison.ts';

/**
 * What a terminal shows of a comparison: its sentences, and how much was not the same; ends with a line feed.
 * @param columns of the terminal, at which sentences are broken; undefined: not at all
 */
export function comparisonText(
  { runs, conditions, differences }: RunsComparison,
  columns?: number,
): string {
  const [first, second] = runs;
  const lines = [
    `First run: ${first.runId}, ${first.host.cpu}. Second run: ${second.runId}, ${second.host.cpu}.`,
    ...conditions.flatMap(({ arms }) => arms.map(({ sentence }) => sentence)),
    differences.length === 0
      ? 'Options, versions and machine were the same.'
      : `Not the same in both: ${differences.map(({ fact }) => factName(fact)).join('; ')}.`,
  ];
  return `${lines.map((line) => wrapped(printable(line), columns)).join('\n\n')}\n`;
}
