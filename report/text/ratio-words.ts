import { decimalText } from './number.ts';
import type { Estimate } from '../summary/comparison.ts';

/** A ratio of times in words: `8.2 % faster`, which is 8.2 % less time; `12 % slower`; `equally fast`. */
export function ratioText(ratio: number): string {
  const percent = percentText(ratio);
  return percent === '0' ? 'equally fast' : `${percent} % ${direction(ratio)}`;
}

/**
 * The interval of a ratio in words: `5 to 11 % faster`, `1 % faster to 2 % slower`; `5 % slower or worse` where failures leave no
 * limit; null without an interval.
 */
export function ratioIntervalText({ low, high }: Estimate): string | null {
  if (low === null && high === null) return null;
  if (high === null) return `${ratioText(low as number)} or worse`;
  if (low === null) return `${ratioText(high)} or better`;
  const [from, to] = [low, high].map(percentText);
  if (from === '0' && to === '0') return 'no difference';
  if (from === '0' || to === '0' || low < 1 !== high < 1) {
    return `${ratioText(low)} to ${ratioText(high)}`;
  }
  // Smaller number first: below 1 the interval's upper end is the smaller difference.
  return low < 1 ? `${to} to ${from} % ${direction(low)}` : `${from} to ${to} % ${direction(low)}`;
}

/** What such an interval leaves open: `anything from 1 % faster to 2 % slower is possible`. */
export function possibleText({ low, high }: Estimate, between: string): string {
  return low === null || high === null
    ? `anything that is ${between} is possible`
    : `anything from ${between} is possible`;
}

function direction(ratio: number): string {
  return ratio < 1 ? 'faster' : 'slower';
}

function percentText(ratio: number): string {
  const percent = Math.abs(ratio - 1) * 100;
  return decimalText(percent, percent < 9.95 ? 1 : 0);
}
