import type { Metric } from '../../ground/experiment.ts';
import { isOwnNetwork, type NetworkCondition } from '../../ground/records/network.ts';

/** Maximum number of names in a sentence. */
const MOST_NAMES = 3;

/** Names for a sentence; beyond the limit the first ones and a number: `a, b, c and 2 more`. */
export function namesText(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`;
}

/** Why a site is excluded from the overall result: `no pair of loads has a page load time`. */
export function missingRatioReason(
  network: NetworkCondition,
  metric: Pick<Metric, 'phrase'>,
  attempts: string,
): string {
  const failing = isOwnNetwork(network) ? '' : ', or too many failed for a ratio';
  return `no pair of ${attempts} has a ${metric.phrase}${failing}`;
}
