import { printable } from '../text-table.ts';
import type { RunsComparison } from './runs-comparison.ts';

/** What a terminal shows of a comparison: its sentences, and how much was not the same; ends with a line feed. */
export function comparisonText({ runs, conditions, differences }: RunsComparison): string {
  const [first, second] = runs;
  const lines = [
    `First run: ${first.runId}, ${first.host.cpu}. Second run: ${second.runId}, ${second.host.cpu}.`,
    ...conditions.flatMap(({ arms }) => arms.map(({ sentence }) => sentence)),
    differences.length === 0
      ? 'Options, versions and machine were the same.'
      : `Not the same in both: ${differences.map(({ fact }) => fact).join(', ')}.`,
  ];
  return `${lines.map(printable).join('\n\n')}\n`;
}
