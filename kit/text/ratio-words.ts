import { type Metric, worsening } from '../../ground/experiment.ts';
import type { Estimate } from './estimate.ts';
import { decimalText, secondsText } from './number.ts';
import { unitSuffix, valueText } from './value.ts';

/** Better direction of a metric, and its words. */
export type Direction = Pick<Metric, 'better' | 'words'>;

/** A ratio of a metric in words: `8.2 % faster`, which is 8.2 % less time, or more of a rate; `12 % slower`; `equally fast`. */
export function ratioWords(ratio: number, metric: Direction): string {
  const percent = percentText(ratio);
  return percent === '0' ? equalWord(metric) : `${percent} % ${wordOf(ratio, metric)}`;
}

/** Word for no difference: `equally fast`. */
export function equalWord({ words: [better] }: Direction): string {
  return better === 'faster' ? 'equally fast' : 'equal';
}

/**
 * The interval of a ratio in words: `5 to 11 % faster`, `1 % faster to 2 % slower`; `5 % slower or worse` where
 * failures leave no limit; null: no interval.
 */
export function ratioIntervalWords({ low, high }: Estimate, metric: Direction): string | null {
  if (low === null && high === null) return null;
  if (high === null) return `${ratioWords(low as number, metric)} or ${beyondWord(1, metric)}`;
  if (low === null) return `${ratioWords(high, metric)} or ${beyondWord(-1, metric)}`;
  const [from, to] = [low, high].map(percentText);
  if (from === '0' && to === '0') return 'no difference';
  if (from === to && low < 1 === high < 1) return ratioWords(low, metric);
  if (from === '0' || to === '0' || low < 1 !== high < 1) {
    return `${ratioWords(low, metric)} to ${ratioWords(high, metric)}`;
  }
  // Smaller number first: below 1 the interval's upper end is the smaller difference.
  const [near, far] = low < 1 ? [to, from] : [from, to];
  return `${near} to ${far} % ${wordOf(low, metric)}`;
}

/** Open range of an interval: `anything from 1 % faster to 2 % slower`; `5 % slower or worse`. */
export function possibleText({ low, high }: Estimate, between: string): string {
  return low === null || high === null ? between : `anything from ${between}`;
}

function wordOf(ratio: number, metric: Direction): string {
  const [better, worse] = metric.words;
  return worsening(ratio - 1, metric) > 0 ? worse : better;
}

/** Word for values beyond the end of an interval. */
function beyondWord(increase: number, metric: Pick<Metric, 'better'>): 'worse' | 'better' {
  return worsening(increase, metric) > 0 ? 'worse' : 'better';
}

/** Larger percentages, as from few pairs, are shown as this limit. */
const MOST_PERCENT = 1000;

function percentText(ratio: number): string {
  const percent = Math.abs(ratio - 1) * 100;
  if (percent > MOST_PERCENT) return `more than ${decimalText(MOST_PERCENT, 0)}`;
  return decimalText(percent, percent < 9.95 ? 1 : 0);
}

/** Words for less and more time. */
const TIME_WORDS = { worth: ['saved', 'lost'], moment: ['sooner', 'later'] } as const;

/**
 * A difference with its interval: for times `61 ms saved`, `39 to 83`, `12 lost to 31 saved`, `39 or better`;
 * for other metrics `1.20 Mbit/s more`, `0.90 Mbit/s to 1.50 Mbit/s`.
 * @param as words for a time: saved and lost, or sooner and later
 * @param inSeconds whether times are in s, not in ms
 */
export function worthText(
  { estimate, low, high }: Estimate,
  metric: Pick<Metric, 'better' | 'unit'>,
  { as = 'worth', inSeconds = false }: { as?: keyof typeof TIME_WORDS; inSeconds?: boolean } = {},
): { worth: string; interval: string | null } {
  const isTime = metric.unit === 'ms' && metric.better === 'lower';
  const [below, above] = isTime ? TIME_WORDS[as] : ['less', 'more'];
  const size = (value: number) => {
    const absolute = Math.abs(value);
    if (metric.unit !== 'ms') return valueText(absolute, metric.unit);
    return inSeconds ? secondsText(absolute) : decimalText(absolute, absolute < 9.95 ? 1 : 0);
  };
  const sided = (value: number, suffix = '') =>
    /[1-9]/.test(size(value))
      ? `${size(value)}${suffix} ${value < 0 ? below : above}`
      : `${size(value)}${suffix}`;
  const interval = () => {
    if (low === null && high === null) return null;
    if (high === null) return `${sided(low as number)} or ${beyondWord(1, metric)}`;
    if (low === null) return `${sided(high)} or ${beyondWord(-1, metric)}`;
    // Smaller number first, for readability.
    if (low < 0 === high < 0) {
      const [near, far] = Math.abs(low) < Math.abs(high) ? [low, high] : [high, low];
      return `${size(near)} to ${size(far)}`;
    }
    // Worst first.
    const [first, last] = as === 'worth' && worsening(1, metric) > 0 ? [high, low] : [low, high];
    return `${sided(first)} to ${sided(last)}`;
  };
  const suffix = metric.unit === 'ms' && inSeconds ? ' s' : unitSuffix(metric.unit);
  return { worth: sided(estimate, suffix), interval: interval() };
}

/** A difference within a sentence: `61 ms saved on average (39 to 83)`. */
function averageText(difference: Estimate, metric: Pick<Metric, 'better' | 'unit'>): string {
  const { worth, interval } = worthText(difference, metric);
  return `${worth} on average${interval === null ? '' : ` (${interval})`}`;
}

/** `: 61 ms saved on average (39 to 83)`; with `but` if the average contradicts the ratio, which is possible. */
export function averageAfterRatio(
  ratio: Estimate,
  difference: Estimate,
  metric: Pick<Metric, 'better' | 'unit'>,
): string {
  const isOpposed = Math.log(ratio.estimate) * difference.estimate < 0;
  return `${isOpposed ? ', but' : ':'} ${averageText(difference, metric)}`;
}

/**
 * A sentence after a space, if a difference is clear and its ratio is not; else empty.
 * @param page noun for equally weighted subjects; null: one subject
 */
export function clearDifferenceSentence(
  ratio: Estimate,
  difference: Estimate,
  metric: Pick<Metric, 'better' | 'unit'>,
  page: string | null,
): string {
  const isClear = ({ low, high }: Estimate, none: number) =>
    (low !== null && low > none) || (high !== null && high < none);
  if (isClear(ratio, 1) || !isClear(difference, 0)) return '';
  return ` The difference itself, ${averageText(difference, metric)}, excludes 0, but the verdict uses the ratio${page === null ? '' : `, in which every ${page} has equal weight`}.`;
}
