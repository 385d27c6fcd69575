import type { Problem } from '../../checks.ts';
import { eventMissed } from '../../event-missed.ts';
import { pageLoad } from '../experiment.ts';
import type { Expected, Observed } from './check.ts';

/** Something was to happen to the path in the middle of the load, and did not, or changed nothing. */
export function noEvent({ path, loadedMs }: Observed, { network }: Expected): Problem | null {
  return eventMissed(network, path, loadedMs, pageLoad.attempt[0]);
}
