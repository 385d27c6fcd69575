import type { Metric } from '../../ground/experiment.ts';
import { isOwnNetwork, type NetworkCondition } from '../../ground/records/network.ts';

/** Of more sites a sentence gives no names. */
const MOST_NAMES = 3;

/** Names for a sentence, the first of them where there are many: `a, b, c and others`. */
export function namesText(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ' and others' : ''}`;
}

/** Why a site has no part in what all say together: `no pair of loads has a page load time`. */
export function missingRatioReason(
  network: NetworkCondition,
  metric: Pick<Metric, 'phrase'>,
  attempts: string,
): string {
  const failing = isOwnNetwork(network) ? '' : ', or too many failed for a ratio';
  return `no pair of ${attempts} has a ${metric.phrase}${failing}`;
}
