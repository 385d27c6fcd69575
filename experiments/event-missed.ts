import type { NetworkCondition, PathCounts } from '../ground/records/network.ts';
import { shellWord } from '../ground/system/shell-word.ts';

/** What makes an attempt say nothing of the event that its condition asks for. */
interface EventMissed {
  code: 'event-too-late' | 'event-without-connection';
  message: string;
}

/**
 * Whether an attempt had the event that its condition asks for; null: it had, or none is asked for.
 * @param endedMs when the attempt ended, by the machine's monotonic clock; null: unknown
 * @param attempt what it is called: `load`
 */
export function eventMissed(
  { event: asked }: Pick<NetworkCondition, 'event'>,
  { event: found }: Pick<PathCounts, 'event'>,
  endedMs: number | null,
  attempt: string,
): EventMissed | null {
  if (asked === undefined) return null;
  const { firstPacketMs = null, happenedAtMs = null, changedConnections = 0 } = found ?? {};
  const lastedMs = endedMs === null || firstPacketMs === null ? null : endedMs - firstPacketMs;
  if (happenedAtMs === null || (lastedMs !== null && lastedMs < happenedAtMs)) {
    const does = asked.lastsMs === undefined ? 'change' : 'be cut';
    const lasts = asked.lastsMs === undefined ? '' : `/${asked.lastsMs}ms`;
    const earlier = `${asked.kind}@100ms${lasts}`;
    const length = lastedMs === null ? '' : ` after ${lastedMs.toFixed(0)} ms`;
    return {
      code: 'event-too-late',
      message: `The ${attempt} had ended${length} when the path was to ${does} ${asked.atMs} ms after its first packet. Choose an earlier event (--event ${shellWord(earlier)}), or what takes longer: a larger delay (--rtt), a lower rate (--down) or more bytes.`,
    };
  }
  if (asked.kind === 'cut' || changedConnections > 0) return null;
  return {
    code: 'event-without-connection',
    message: `The path changed ${asked.atMs} ms after the first packet of the ${attempt}, when there was no connection that could get another port or address.`,
  };
}
