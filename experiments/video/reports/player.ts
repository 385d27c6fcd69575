import type { WatchedSession } from '../players/watched-session.ts';
import { SHORTEST_STALL_MS } from '../playhead.ts';
import type { PlayerRequest, Stall } from '../records.ts';
import type { SessionReporter } from './session-reporter.ts';

export const reportByPlayer: SessionReporter = ({ said, watchedMs }) => {
  const startupMs = said.find(({ event }) => event === 'started')?.atMs ?? null;
  if (startupMs === null) return { startupMs, stalls: [] };
  const overMs = said.find(({ event }) => event === 'ended')?.atMs ?? watchedMs;
  const stalls: Stall[] = [];
  let sinceMs: number | null = null;
  const end = (untilMs: number, ended: boolean): void => {
    if (sinceMs !== null && untilMs - sinceMs >= SHORTEST_STALL_MS)
      stalls.push({ atMs: sinceMs, durationMs: untilMs - sinceMs, ended });
    sinceMs = null;
  };
  for (const { atMs, event } of said) {
    if (atMs < startupMs || atMs > overMs) continue;
    if (event === 'buffering') sinceMs ??= atMs;
    else if (event === 'buffered') end(atMs, true);
  }
  end(overMs, false);
  return { startupMs, stalls };
};

/** Replaces bitrates of video segments by those that the player reported; drops segments without one. */
export function withReportedRates(
  { said }: Pick<WatchedSession, 'said'>,
  requests: readonly PlayerRequest[],
): PlayerRequest[] {
  const rates = said.filter(({ event, kbps }) => event === 'switched' && kbps !== undefined);
  return requests.flatMap((each) => {
    if (each.kind !== 'video') return [each];
    const kbps = rates.findLast(({ atMs }) => atMs <= each.requestedMs)?.kbps;
    return kbps === undefined ? [] : [{ ...each, kbps }];
  });
}
