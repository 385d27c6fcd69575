import type { RunRecord } from '../../ground/records/run.ts';
import { contentDifferences } from '../../report/summary/plan-differences.ts';

/** Differences between the plans of two runs, as sentences; empty: the same plan. */
export function planDifferences(first: RunRecord, second: RunRecord): string[] {
  const differences = [
    ...contentDifferences(first, second),
    ...(first.preset === second.preset
      ? []
      : [`The preset is ${first.preset ?? 'none'} and ${second.preset ?? 'none'}.`]),
  ];
  if (differences.length > 0) return differences;
  if (JSON.stringify(first.trials) !== JSON.stringify(second.trials)) {
    return ['The planned loads or their order differ.'];
  }
  return first.planSha256 === second.planSha256 ? [] : ['The digests of the plans differ.'];
}
