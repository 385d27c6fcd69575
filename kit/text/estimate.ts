import * as s from '../../ground/records/schema.ts';
import { countText } from './number.ts';

export const estimateSchema = s.object(
  {
    estimate: s.anyNumber('The estimate.'),
    low: s.orNull(s.anyNumber('Lower end; null: there is none.')),
    high: s.orNull(s.anyNumber('Upper end; null: there is none.')),
  },
  'An estimate with its interval, 95 % unless said otherwise; low and high are both null where there are too few pairs, or sites, for one, and one of them where failures leave no limit to that side.',
);

export type Estimate = s.Static<typeof estimateSchema>;

/** An estimate on the logarithmic scale, turned back into a ratio. */
export function ratioOf(logarithmic: Estimate | null): Estimate | null {
  if (logarithmic === null) return null;
  const { estimate, low, high } = logarithmic;
  return {
    estimate: Math.exp(estimate),
    low: low === null ? null : Math.exp(low),
    high: high === null ? null : Math.exp(high),
  };
}

/** An interval in words: `0.75 to 0.86`; `0.75 or more` where failures leave no limit above. */
export function intervalText({ low, high }: Estimate, textOf: (value: number) => string): string {
  if (low === null && high === null) return 'no interval';
  if (high === null) return `${textOf(low as number)} or more`;
  return low === null ? `${textOf(high)} or less` : `${textOf(low)} to ${textOf(high)}`;
}

/** The same behind its estimate: `0.80 (0.75 to 0.86)`; null: there is none. */
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

/** Beyond it the digits of a ratio say nothing. */
const MOST_RATIO = 1000;

/** A ratio: two decimals, three where two would say nothing. */
export function ratioText(ratio: number): string {
  if (ratio > MOST_RATIO) return `more than ${countText(MOST_RATIO)}`;
  const decimals = ratio !== 1 && Math.abs(ratio - 1) < 0.005 ? 3 : 2;
  return ratio.toFixed(ratio >= 10 ? 1 : decimals);
}

/** A ratio with its interval, where it has both ends: `0.80 (0.75 to 0.86)`. */
export function ratioWithInterval({ estimate, low, high }: Estimate): string {
  const text = ratioText(estimate);
  return low === null || high === null ? text : `${text} (${ratioText(low)} to ${ratioText(high)})`;
}

/** A p-value as far as it matters. */
export function probabilityText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** A sentence in which no line ends between a number and its unit. */
export function keepUnitsTogether(sentence: string): string {
  return sentence.replace(/(\d) (?=(?:%|ms|ns|kB|MB|[kMG]bit\/s)(?![\w]))/g, '$1\u00a0');
}

/** A number with its sign, and a zero with none, however it came about. */
export function withSign(value: number, textOf: (size: number) => string): string {
  const text = textOf(Math.abs(value));
  if (/^[0.,\s]*(?:\D*)$/.test(text)) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}
