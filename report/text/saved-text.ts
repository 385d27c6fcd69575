import { decimalText } from './number.ts';
import type { Estimate } from '../summary/comparison.ts';

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
