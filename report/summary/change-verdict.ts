import type { Estimate } from './comparison.ts';
import { isWithinMargin } from './verdict.ts';
import type { Change } from './runs-comparison.ts';

/** What a change of a ratio is called. In the order of `judge`: what lies within the margin is the same, whatever else is true of it. */
export function changeVerdict(change: Estimate | null, marginPercent: number): Change {
  if (change === null || change.low === null || change.high === null) return 'cannot tell';
  if (isWithinMargin(change, marginPercent)) return 'same';
  if (change.low > 1) return 'higher';
  return change.high < 1 ? 'lower' : 'cannot tell';
}
