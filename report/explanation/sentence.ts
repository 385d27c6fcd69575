import type { Metric } from '../../ground/experiment.ts';
import type { PlannedExplanation } from '../../ground/records/explanation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { type Estimate, intervalText } from '../../kit/text/estimate.ts';
import { signedValueText, unitSuffix } from '../../kit/text/value.ts';
import type { ExplanationResult } from './schema.ts';

/** Whole milliseconds: the intervals are wider than that. */
function wholeText(value: number): string {
  const rounded = Math.round(value);
  return `${rounded < 0 ? '−' : ''}${Math.abs(rounded)}`;
}

/** The division of a gain in words, without the parts whose interval holds 0: "Of 66 ms, 29 are ..., 11 unexplained (−4 to 24)". */
export function divisionText(
  { whole, parts, residual }: Pick<ExplanationResult, 'whole' | 'parts' | 'residual'>,
  { unit, words: [better, worse] }: Pick<Metric, 'unit' | 'words'>,
  { arms }: Pick<RunRecord, 'arms'>,
  { arm, baseline }: Pick<PlannedExplanation, 'arm' | 'baseline'>,
): string {
  const [own, other] = [arm, baseline].map(
    (name) => arms.find((each) => each.arm === name)?.label ?? name,
  );
  if (!whole) return `Too few blocks to divide the difference between ${own} and ${other}.`;
  const isGain = whole.estimate >= 0;
  const subject = `${own} is ${wholeText(Math.abs(whole.estimate))}${unitSuffix(unit)} ${isGain ? better : worse} than ${other}`;
  const decided = parts.filter(({ part }) => part && !holdsZero(part));
  const rest = parts
    .filter((each) => !decided.includes(each))
    .reduce((sum, { part }) => sum + (part?.estimate ?? 0), 0);
  const text = (value: number) =>
    isGain ? wholeText(value) : signedValueText(Math.round(value), unit).replace(/\.0$/, '');
  const items = [
    ...decided.map(({ part, phrase }, index) => {
      const value = text((part as Estimate).estimate);
      return index === 0 ? `${value} ${isGain ? 'are' : 'by'} ${phrase}` : `${value} ${phrase}`;
    }),
    ...(Math.abs(rest) >= 0.5
      ? [`${text(rest)} further settings, each within its error of 0`]
      : []),
    residual
      ? `${text(residual.estimate)} unexplained (${intervalText(residual, wholeText)})`
      : 'the rest not known',
  ];
  return `${subject}: ${items.join(', ')}.`;
}

/** Whether 0 is possible. */
function holdsZero({ low, high }: Estimate): boolean {
  return (low ?? Number.NEGATIVE_INFINITY) <= 0 && (high ?? Number.POSITIVE_INFINITY) >= 0;
}
