import type { Representation } from '../../../cache/presentation.ts';
import type { WatchedSession } from '../players/watched-session.ts';
import { playedMs, playheadOf, type Sample } from '../playhead.ts';
import type { PlayerRequest, SessionReport } from '../records.ts';
import { type PlayedRepresentation, playedRepresentations } from '../timeline.ts';

/** What is told of the rungs that were played. */
type BitrateReport = Pick<SessionReport, 'meanBitrateKbps' | 'bitrateUntold' | 'switches'>;

/** By how high the picture was that the element had on the screen, which tells the rung where no two are alike. */
export function bitrateByHeight(
  watched: Pick<WatchedSession, 'element' | 'ticks'>,
  rungs: readonly Pick<Representation, 'id' | 'kind' | 'kbps' | 'height'>[],
): BitrateReport {
  const pictures = rungs.filter(({ kind }) => kind === 'video');
  for (const [place, { id, height }] of pictures.entries()) {
    if (height === null)
      return withoutBitrate(`The manifest does not tell how high rung ${id} is.`);
    const same = pictures.slice(0, place).find((each) => each.height === height);
    if (same) return withoutBitrate(`Rungs ${same.id} and ${id} are both ${height} pixels high.`);
  }
  const samples = playheadOf(watched);
  const resized = watched.element.filter(({ event }) => event === 'resize');
  const played: PlayedRepresentation[] = [];
  for (const [place, { atMs, heightPx }] of resized.entries()) {
    const rung = pictures.find(({ height }) => height === heightPx);
    if (!rung) return withoutBitrate(`The picture was ${heightPx} pixels high, which no rung is.`);
    const untilMs = resized[place + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const shown = samples.filter((look) => look.atMs >= atMs && look.atMs <= untilMs);
    played.push({ kbps: rung.kbps, atMs, playedMs: playedMs(shown) });
  }
  return bitrateOf(played, 'No picture was played.');
}

/**
 * By the segments that had come before they were played.
 * @param asked with the rates at which the teller has them
 */
export function bitrateBySegments(
  asked: readonly PlayerRequest[],
  playhead: readonly Sample[],
): BitrateReport {
  return bitrateOf(playedRepresentations(asked, playhead), 'No segment of the picture was played.');
}

function bitrateOf(all: readonly PlayedRepresentation[], whyNone: string): BitrateReport {
  const played = all.filter(({ playedMs }) => playedMs > 0);
  const wholeMs = played.reduce((sum, { playedMs }) => sum + playedMs, 0);
  if (wholeMs === 0) return withoutBitrate(whyNone);
  return {
    meanBitrateKbps: played.reduce((sum, { kbps, playedMs }) => sum + kbps * playedMs, 0) / wholeMs,
    switches: played.slice(1).flatMap(({ atMs, kbps: toKbps }, place) => {
      const { kbps: fromKbps } = played[place] as PlayedRepresentation;
      return fromKbps === toKbps ? [] : [{ atMs, fromKbps, toKbps }];
    }),
  };
}

function withoutBitrate(why: string): BitrateReport {
  return { meanBitrateKbps: null, bitrateUntold: why };
}
