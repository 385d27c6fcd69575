import type { Unit } from '../../experiments/experiment.ts';
import { anyNumber, object, orNull, type Static } from '../../records/schema.ts';
import { bytesText, decimalText, millisecondsText } from './number.ts';

/** An estimate with its interval. */
export const estimateSchema = object(
  {
    estimate: anyNumber('The estimate.'),
    low: orNull(anyNumber('Lower end; null: there is none.')),
    high: orNull(anyNumber('Upper end; null: there is none.')),
  },
  'An estimate with its interval, 95 % unless said otherwise; low and high are both null where there are too few pairs, or sites, for one, and one of them where failures leave no limit to that side.',
);

export type Estimate = Static<typeof estimateSchema>;

/** An interval in words: `0.75 to 0.86`; `0.75 or more` where failures leave no limit above. */
export function intervalText({ low, high }: Estimate, textOf: (value: number) => string): string {
  if (low === null && high === null) return 'no interval';
  if (high === null) return `${textOf(low as number)} or more`;
  return low === null ? `${textOf(high)} or less` : `${textOf(low)} to ${textOf(high)}`;
}

/** A ratio: two decimals, three where two would say nothing. */
export function ratioText(ratio: number): string {
  const decimals = ratio !== 1 && Math.abs(ratio - 1) < 0.005 ? 3 : 2;
  return ratio.toFixed(ratio >= 10 ? 1 : decimals);
}

/** A ratio with its interval, where it has both ends: `0.80 (0.75 to 0.86)`. */
export function ratioWithInterval({ estimate, low, high }: Estimate): string {
  const text = ratioText(estimate);
  return low === null || high === null ? text : `${text} (${ratioText(low)} to ${ratioText(high)})`;
}

/** A difference with its sign: one decimal below 100 ms, none above. */
export function differenceText(valueMs: number): string {
  return signed(valueMs, (size) =>
    size < 99.95 ? millisecondsText(size) : millisecondsText(Math.round(size)).replace(/\.0$/, ''),
  );
}

/** A value of a metric in its unit; the unit stands in the heading, but for bytes. */
export function valueText(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined) return '–';
  if (unit === 'ms') return millisecondsText(value);
  return unit === 'bytes' ? bytesText(Math.round(value)) : decimalText(value, 1);
}

/** What a caption adds behind the name of a metric: ` in milliseconds`. */
export function unitPhrase(unit: Unit): string {
  if (unit === 'count') return '';
  return unit === 'ms' ? ' in milliseconds' : ' in bytes';
}

/** A difference of a metric with its sign. */
export function signedValueText(value: number, unit: Unit): string {
  return signed(value, (size) => valueText(size, unit));
}

/** A p-value as far as it matters. */
export function probabilityText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** A sentence in which no line ends between a number and its unit. */
export function unbroken(sentence: string): string {
  return sentence.replace(/(\d) (?=(?:%|ms|kB|MB|kbit\/s)(?![\w]))/g, '$1\u00a0');
}

/** A number with its sign, and a zero with none, however it came about. */
export function signed(value: number, textOf: (size: number) => string): string {
  const text = textOf(Math.abs(value));
  if (/^[0.,\s]*(?:\D*)$/.test(text)) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}
