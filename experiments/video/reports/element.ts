import type { WatchedSession } from '../players/watched-session.ts';
import { playheadOf, SHORTEST_STALL_MS, standstills } from '../playhead.ts';
import type { Stall } from '../records.ts';
import type { SessionReporter } from './session-reporter.ts';

/** Buffer in ms that excludes a stall: players stop for lack of data only with less. */
const STARVED_MS = 500;

/**
 * Reports playback from the element's playhead, whose first movement begins playback. A stall is a
 * standstill, neither paused nor at the end, while the element waits or has nearly no buffer. Events
 * do not suffice: `playing` precedes any movement, and a player that stops by the rate causes no event.
 */
export const reportByElement: SessionReporter = (watched) => {
  const still = standstills(playheadOf(watched));
  const [before] = still;
  const startupMs =
    before === undefined ? null : before.ended ? before.atMs + before.durationMs : null;
  if (startupMs === null) return { startupMs, stalls: [] };
  const overMs = playbackEndMs(watched);
  const stalls = still.slice(1).flatMap((each): Stall[] => {
    const { atMs, ended } = each;
    const durationMs = Math.min(atMs + each.durationMs, overMs) - atMs;
    const wanted =
      hasEvent(watched, 'waiting', each) || (each.aheadMs !== null && each.aheadMs <= STARVED_MS);
    return durationMs >= SHORTEST_STALL_MS && wanted && !hasEvent(watched, 'pause', each)
      ? [{ atMs, durationMs, ended }]
      : [];
  });
  return { startupMs, stalls };
};

/** End of the video, or a permanent error of the element, else the end of watching. */
export function playbackEndMs({
  element,
  watchedMs,
}: Pick<WatchedSession, 'element' | 'watchedMs'>): number {
  return element.find(({ event }) => event === 'ended' || event === 'error')?.atMs ?? watchedMs;
}

function hasEvent(
  { element }: WatchedSession,
  event: 'waiting' | 'pause',
  { atMs, durationMs }: { atMs: number; durationMs: number },
): boolean {
  return element.some(
    (each) =>
      each.event === event &&
      each.atMs >= atMs - SHORTEST_STALL_MS &&
      each.atMs < atMs + durationMs,
  );
}
