import type { NetworkCondition, PathCounts } from '../ground/records/network.ts';
import { shellWord } from '../ground/system/shell-word.ts';

/** Why an attempt is no measurement of the event of its condition. */
interface EventMissed {
  code: 'event-too-late' | 'event-without-connection';
  message: string;
}

/**
 * Checks that the event of the condition happened during an attempt; null: it did, or the condition has no event.
 * @param endedMs end of the attempt, by the machine's monotonic clock; null: unknown
 * @param attempt noun of an attempt: `load`
 */
export function eventMissed(
  { event: planned }: Pick<NetworkCondition, 'event'>,
  { event: found }: Pick<PathCounts, 'event'>,
  endedMs: number | null,
  attempt: string,
): EventMissed | null {
  if (planned === undefined) return null;
  const { firstPacketMs = null, happenedAtMs = null, changedConnections = 0 } = found ?? {};
  const lastedMs = endedMs === null || firstPacketMs === null ? null : endedMs - firstPacketMs;
  if (happenedAtMs === null || (lastedMs !== null && lastedMs < happenedAtMs)) {
    const does = planned.lastsMs === undefined ? 'change' : 'be cut';
    const lasts = planned.lastsMs === undefined ? '' : `/${planned.lastsMs}ms`;
    const earlier = `${planned.kind}@100ms${lasts}`;
    const length = lastedMs === null ? '' : ` after ${lastedMs.toFixed(0)} ms`;
    return {
      code: 'event-too-late',
      message: `The ${attempt} had ended${length} when the path was to ${does} ${planned.atMs} ms after its first packet. Choose an earlier event (--event ${shellWord(earlier)}), more delay (--rtt), a lower rate (--down) or more bytes.`,
    };
  }
  if (planned.kind === 'cut' || changedConnections > 0) return null;
  return {
    code: 'event-without-connection',
    message: `The path changed ${planned.atMs} ms after the first packet of the ${attempt}, when there was no connection whose port or address could change.`,
  };
}
