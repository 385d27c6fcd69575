import { countOf, firstOf } from '../../cache/site-lines.ts';
import type { Capture } from './capture.ts';
import type { LoadComparison } from './comparison.ts';

/** More of a kind than these say nothing that the first ones do not. */
const MOST_LINES = 50;

/** What is printed of the load that checks a recording. */
export function comparisonLines(
  compared: LoadComparison,
  { failure }: Pick<Capture, 'failure'>,
  label: string,
): string[] {
  const { same, kept, notAskedFor, otherAnswers } = compared;
  const lines = [
    ...notAskedFor.map((request) => `  not asked for again: ${request}`),
    ...compared.new.map((request) => `  asked for only now, and not recorded: ${request}`),
    ...otherAnswers.map(
      ({ request, live, replayed }) =>
        `  another answer: ${request} (live ${live}; now ${replayed})`,
    ),
  ];
  return [
    `Replayed by ${label}: ${same.toLocaleString('en-US')} of ${countOf(kept, 'recorded request')} asked for again with the same answer${lines.length === 0 ? ', and no others' : ''}`,
    ...(failure ? [`  the replay failed: ${failure.message}`] : []),
    ...firstOf(lines, MOST_LINES),
  ];
}
