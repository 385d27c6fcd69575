import * as s from '../../ground/records/schema.ts';
import { countText } from './number.ts';

export const estimateSchema = s.object(
  {
    estimate: s.anyNumber('The estimate.'),
    low: s.orNull(s.anyNumber('Lower end; null: no limit.')),
    high: s.orNull(s.anyNumber('Upper end; null: no limit.')),
  },
  'An estimate with its interval, by default of 95 %. low and high are both null with too few pairs or sites; one is null where failures leave no limit on that side.',
);

export type Estimate = s.Static<typeof estimateSchema>;

/** Converts an estimate from the logarithmic scale to a ratio. */
export function ratioOf(logarithmic: Estimate | null): Estimate | null {
  if (logarithmic === null) return null;
  const { estimate, low, high } = logarithmic;
  return {
    estimate: Math.exp(estimate),
    low: low === null ? null : Math.exp(low),
    high: high === null ? null : Math.exp(high),
  };
}

/** Text of an interval: `0.75 to 0.86`; `0.75 or more` where failures leave no upper limit. */
export function intervalText({ low, high }: Estimate, textOf: (value: number) => string): string {
  if (low === null && high === null) return 'no interval';
  if (high === null) return `${textOf(low as number)} or more`;
  return low === null ? `${textOf(high)} or less` : `${textOf(low)} to ${textOf(high)}`;
}

/** Text of an estimate with its interval: `0.80 (0.75 to 0.86)`; null: no interval. */
export function estimateText(
  estimate: Estimate | null,
  textOf: (value: number) => string,
): string | null {
  if (estimate === null) return null;
  const { low, high } = estimate;
  const text = textOf(estimate.estimate);
  return low === null && high === null
    ? `${text}, no interval`
    : `${text} (${intervalText(estimate, textOf)})`;
}

/** Larger ratios are shown as this limit. */
const MOST_RATIO = 1000;

/** Text of a ratio: two decimals, three where two would hide it. */
export function ratioText(ratio: number): string {
  if (ratio > MOST_RATIO) return `more than ${countText(MOST_RATIO)}`;
  const decimals = ratio !== 1 && Math.abs(ratio - 1) < 0.005 ? 3 : 2;
  return ratio.toFixed(ratio >= 10 ? 1 : decimals);
}

/** Text of a ratio with a two-sided interval: `0.80 (0.75 to 0.86)`. */
export function ratioWithInterval({ estimate, low, high }: Estimate): string {
  const text = ratioText(estimate);
  return low === null || high === null ? text : `${text} (${ratioText(low)} to ${ratioText(high)})`;
}

/** Text of a p-value. */
export function probabilityText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Prevents line breaks between a number and its unit. */
export function keepUnitsTogether(sentence: string): string {
  return sentence.replace(/(\d) (?=(?:%|ms|ns|kB|MB|[kMG]bit\/s)(?![\w]))/g, '$1\u00a0');
}

/** Text of a number with its sign; zero has no sign. */
export function withSign(value: number, textOf: (size: number) => string): string {
  const text = textOf(Math.abs(value));
  if (/^[0.,\s]*(?:\D*)$/.test(text)) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}
