import { printable } from '../../../ground/system/printed.mjs';
import { type Estimate, ratioText, ratioWithInterval } from '../../../kit/text/estimate.ts';
import { counted } from '../../../kit/text/number.ts';
import { inColumns, wrapped } from '../../../kit/text/terminal.ts';
import type { LadderSummary, StepSummary } from './summary.ts';

/** What the changes did, for a reader without statistics; what the first and the last step say stands in their runs’ own sentences. */
export function ladderSentences({
  steps,
  whole,
}: Pick<LadderSummary, 'steps' | 'whole'>): string[] {
  const sentences: string[] = [];
  if (whole) {
    sentences.push(
      `From the first step to the last the ratio of QUIC to HTTPS changed by a factor of ${factorText(whole)}.`,
    );
  }
  const known = steps.filter(({ ratioChange }) => ratioChange !== null);
  const told = known
    .filter(({ changeVerdict }) => changeVerdict === 'higher' || changeVerdict === 'lower')
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (told.length > 0) {
    sentences.push(
      `Changes whose interval leaves out 1, the largest first: ${told.map((step) => `${step.title} × ${factorText(step.ratioChange)}`).join(', ')}.`,
    );
  }
  const others = known.length - told.length;
  if (known.length > 0) {
    sentences.push(
      others === 0
        ? 'Every change did something.'
        : `Of the ${counted(others, 'other change')} it cannot be said whether ${others === 1 ? 'it' : 'they'} made QUIC look better or worse.`,
    );
  }
  return sentences;
}

function factorText(factor: Estimate | null): string {
  return factor === null ? '–' : ratioWithInterval(factor);
}

function sizeOf({ ratioChange }: StepSummary): number {
  return ratioChange ? Math.abs(Math.log(ratioChange.estimate)) : 0;
}

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
  const table = inColumns([['step', 'QUIC ÷ HTTPS', 'change'], ...lines], ['end', 'end', 'end']);
  const text = (sentence: string) => wrapped(printable(sentence), columns);
  return `${[
    ...(first ? [text(`Compared as in 2018. ${first.sentence}`)] : []),
    ...(last && steps.length > 1 ? [text(`Compared fairly. ${last.sentence}`)] : []),
    table.split('\n').map(printable).join('\n'),
    ...[...sentences, ...warnings].map(text),
  ].join('\n\n')}\n`;
}
