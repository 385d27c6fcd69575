import type { Metric } from '../../experiments/experiment.ts';
import type { Estimate } from './estimate.ts';
import { decimalText } from './number.ts';

/** Which way a metric is better, and what better and worse are called. */
export type Direction = Pick<Metric, 'better' | 'words'>;

/** A ratio of a metric in words: `8.2 % faster`, which is 8.2 % less time; `12 % slower`; `equally fast`. */
export function ratioWords(ratio: number, metric: Direction): string {
  const percent = percentText(ratio);
  return percent === '0' ? equalWord(metric) : `${percent} % ${wordOf(ratio, metric)}`;
}

/** What two arms are that do not differ: `equally fast`. */
export function equalWord({ words: [better] }: Direction): string {
  return better === 'faster' ? 'equally fast' : 'equal';
}

/**
 * The interval of a ratio in words: `5 to 11 % faster`, `1 % faster to 2 % slower`; `5 % slower or worse` where failures leave no
 * limit; null without an interval.
 */
export function ratioIntervalWords({ low, high }: Estimate, metric: Direction): string | null {
  if (low === null && high === null) return null;
  if (high === null) return `${ratioWords(low as number, metric)} or worse`;
  if (low === null) return `${ratioWords(high, metric)} or better`;
  const [from, to] = [low, high].map(percentText);
  if (from === '0' && to === '0') return 'no difference';
  if (from === '0' || to === '0' || low < 1 !== high < 1) {
    return `${ratioWords(low, metric)} to ${ratioWords(high, metric)}`;
  }
  // Smaller number first: below 1 the interval's upper end is the smaller difference.
  const [near, far] = low < 1 ? [to, from] : [from, to];
  return `${near} to ${far} % ${wordOf(low, metric)}`;
}

/** What such an interval leaves open: `anything from 1 % faster to 2 % slower is possible`. */
export function possibleText({ low, high }: Estimate, between: string): string {
  return low === null || high === null
    ? `anything that is ${between} is possible`
    : `anything from ${between} is possible`;
}

function wordOf(ratio: number, { better, words: [betterWord, worseWord] }: Direction): string {
  return ratio < 1 === (better === 'higher') ? worseWord : betterWord;
}

function percentText(ratio: number): string {
  const percent = Math.abs(ratio - 1) * 100;
  return decimalText(percent, percent < 9.95 ? 1 : 0);
}

/** A difference of times as what it is worth: `61 ms saved`, with its interval: `39 to 83`, `12 lost to 31 saved`, `39 or better`. */
export function savedText(differenceMs: Estimate): { saved: string; interval: string | null } {
  const { estimate, low, high } = differenceMs;
  const size = (valueMs: number) =>
    decimalText(Math.abs(valueMs), Math.abs(valueMs) < 9.95 ? 1 : 0);
  const sided = (valueMs: number, unit = '') =>
    size(valueMs) === '0'
      ? `0${unit}`
      : `${size(valueMs)}${unit} ${valueMs < 0 ? 'saved' : 'lost'}`;
  const interval = () => {
    if (low === null && high === null) return null;
    if (high === null) return `${sided(low as number)} or worse`;
    if (low === null) return `${sided(high)} or better`;
    // Smaller number first, as one reads it.
    if (low < 0 === high < 0) {
      const [near, far] = Math.abs(low) < Math.abs(high) ? [low, high] : [high, low];
      return `${size(near)} to ${size(far)}`;
    }
    return `${sided(high)} to ${sided(low)}`;
  };
  return { saved: sided(estimate, ' ms'), interval: interval() };
}
