import type { Metric } from '../../ground/experiment.ts';
import type { PlannedExplanation } from '../../ground/records/explanation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { type Estimate, intervalText, withSign } from '../../kit/text/estimate.ts';
import { unitSuffix } from '../../kit/text/value.ts';
import type { ExplanationResult } from './schema.ts';

/**
 * The division of a gain in words, with the parts whose interval does not hold 0: "Of 66 ms, 29 are the round trip that the
 * handshake saves, 26 the growth of its server’s window, 11 unexplained (−4 to 24)."
 */
export function divisionText(
  { whole, parts, residual }: Pick<ExplanationResult, 'whole' | 'parts' | 'residual'>,
  { unit, words: [better, worse] }: Pick<Metric, 'unit' | 'words'>,
  { arms }: Pick<RunRecord, 'arms'>,
  { arm, baseline, unchanged }: Pick<PlannedExplanation, 'arm' | 'baseline' | 'unchanged'>,
): string {
  const [own, other] = [arm, baseline].map(
    (name) => arms.find((each) => each.arm === name)?.label ?? name,
  );
  if (!whole) return `Too few blocks to divide the difference between ${own} and ${other}.`;
  const isGain = whole.estimate >= 0;
  const size = `${wholeText(Math.abs(whole.estimate))}${unitSuffix(unit)}`;
  if (holdsZero(whole)) {
    return `Whether ${own} or ${other} is ${better} is undecided (${signedText(whole.estimate)}${unitSuffix(unit)}, ${intervalText(whole, signedText)}), so its parts are not put into words.`;
  }
  const head = `${own} is ${size} ${isGain ? better : worse} than ${other} (${intervalText(isGain ? whole : negated(whole), wholeText)}).`;
  if (parts.length === 0) {
    const reasons = unchanged.flatMap(({ isEqual, reason }) => (isEqual ? [] : [reason]));
    return `${head} Not divided: ${reasons.join(' ') || 'no setting of the two differs.'}`;
  }
  const decided = parts.filter(({ part }) => part && !holdsZero(part));
  const rest = parts
    .filter((each) => !decided.includes(each))
    .reduce((sum, { part }) => sum + (part?.estimate ?? 0), 0);
  const text = isGain ? wholeText : signedText;
  const items = [
    ...decided.map(({ part, phrase }, index) => {
      const { estimate } = part as Estimate;
      const interval = intervalText(part as Estimate, text);
      return `${text(estimate)} ${index === 0 && isGain ? 'are ' : ''}${phrase} (${interval})`;
    }),
    ...(wholeText(rest) === '0'
      ? []
      : [`${text(rest)} all further changes together, each undecided`]),
    residual
      ? `${text(residual.estimate)} unexplained (${intervalText(residual, text)})`
      : 'the rest not known',
  ];
  return `${head} ${isGain ? `Of ${size}, ` : 'Gains (+) and losses: '}${items.join(', ')}.`;
}

function negated({ estimate, low, high }: Estimate): Estimate {
  return {
    estimate: -estimate,
    low: high === null ? null : -high,
    high: low === null ? null : -low,
  };
}

/** Intervals are wider than the digits after the point. */
function wholeText(value: number): string {
  return signedText(value).replace('+', '');
}

function signedText(value: number): string {
  return withSign(Math.round(value), String);
}

/** Whether 0 is possible. */
function holdsZero({ low, high }: Estimate): boolean {
  return (low ?? Number.NEGATIVE_INFINITY) <= 0 && (high ?? Number.POSITIVE_INFINITY) >= 0;
}
