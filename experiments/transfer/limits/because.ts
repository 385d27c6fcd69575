import type { Limit } from '../../../records/transfer.ts';
import type { Observations } from './holder.ts';
import type { HeldMs } from './model.ts';

/** What was seen that says so, as a sentence. */
export function becauseOf(
  limit: Limit | null,
  held: HeldMs,
  observations: Observations,
): string {
  return `${limit} ${[...held].join(' ')} ${observations.roundTripMs}`;
}
