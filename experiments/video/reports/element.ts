import type { WatchedSession } from '../players/watched-session.ts';
import { playheadOf, SHORTEST_STALL_MS, standstills } from '../playhead.ts';
import type { Stall } from '../records.ts';
import type { SessionReporter } from './session-reporter.ts';

/** More than players stop at, in ms: one that stands before so much does so for another reason than want of data. */
const STARVED_MS = 500;

/**
 * What the browser's element tells: playing begins when its playhead first moves, and it stalls when the playhead stands, though it was neither paused nor
 * is at the end, and the element says that it waits or next to nothing is buffered ahead. Its events alone do not do: `playing` comes before
 * anything moves, and players that stop it by its rate make it say nothing.
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

/** When there was nothing more to play: the video's end, or an error from which the element does not come back; else the end of watching. */
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
