import type { Metric } from '../../ground/experiment.ts';
import { isOwnNetwork, type NetworkCondition } from '../../ground/records/network.ts';

/** Why a site is excluded from the overall result: `no pair of loads has a page load time`. */
export function missingRatioReason(
  network: NetworkCondition,
  metric: Pick<Metric, 'phrase'>,
  attempts: string,
): string {
  const failing = isOwnNetwork(network) ? '' : ', or too many failed for a ratio';
  return `no pair of ${attempts} has a ${metric.phrase}${failing}`;
}
