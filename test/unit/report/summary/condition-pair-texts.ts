import type { NetworkCondition } from '../../../../ground/records/network.ts';
import type { RunRecord } from '../../../../ground/records/run.ts';
import { conditionPairs } from '../../../../report/summary/condition-pairs.ts';

export function pairsOf(
  networks: readonly NetworkCondition[],
  factors: Record<string, string[]>,
  experiment = 'page-load',
  arms: RunRecord['arms'] = [],
): string[] {
  return conditionPairs({ experiment, networks: [...networks], factors, arms }).map(
    ({ differsIn, from, to, words }) =>
      `${differsIn}: ${to.network.name}/${to.variant} ${from.network.name}/${from.variant}: ${words.to} against ${words.from}, ${words.shared}`,
  );
}
