import type { Representation } from '../../../cache/presentation.ts';
import type { WatchedSession } from '../players/watched-session.ts';
import { playedMs, playheadOf, type Sample } from '../playhead.ts';
import type { PlayerRequest, SessionReport } from '../records.ts';
import { type PlayedRepresentation, playedRepresentations } from '../timeline.ts';

type BitrateReport = Pick<SessionReport, 'meanBitrateKbps' | 'bitrateMissing' | 'switches'>;

/** Derives the bitrate from the height of the shown picture, which must differ in all representations. */
export function bitrateByHeight(
  watched: Pick<WatchedSession, 'element' | 'ticks'>,
  representations: readonly Pick<Representation, 'id' | 'kind' | 'kbps' | 'height'>[],
): BitrateReport {
  const pictures = representations.filter(({ kind }) => kind === 'video');
  for (const [place, { id, height }] of pictures.entries()) {
    if (height === null)
      return withoutBitrate(`The manifest has no height for representation ${id}.`);
    const same = pictures.slice(0, place).find((each) => each.height === height);
    if (same)
      return withoutBitrate(`Representations ${same.id} and ${id} are both ${height} pixels high.`);
  }
  const samples = playheadOf(watched);
  const resized = watched.element.filter(({ event }) => event === 'resize');
  const played: PlayedRepresentation[] = [];
  for (const [place, { atMs, heightPx }] of resized.entries()) {
    const found = pictures.find(({ height }) => height === heightPx);
    if (!found) {
      return withoutBitrate(`No representation is ${heightPx} pixels high as the picture was.`);
    }
    const untilMs = resized[place + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const shown = samples.filter((each) => each.atMs >= atMs && each.atMs <= untilMs);
    played.push({ kbps: found.kbps, atMs, playedMs: playedMs(shown) });
  }
  return bitrateOf(played, 'No picture was played.');
}

/**
 * Derives the bitrate from the segments that arrived before the playhead.
 * @param requests with the bitrates according to the source
 */
export function bitrateBySegments(
  requests: readonly PlayerRequest[],
  playhead: readonly Sample[],
): BitrateReport {
  return bitrateOf(
    playedRepresentations(requests, playhead),
    'No segment of the picture was played.',
  );
}

function bitrateOf(all: readonly PlayedRepresentation[], whyEmpty: string): BitrateReport {
  const played = all.filter(({ playedMs }) => playedMs > 0);
  const wholeMs = played.reduce((sum, { playedMs }) => sum + playedMs, 0);
  if (wholeMs === 0) return withoutBitrate(whyEmpty);
  return {
    meanBitrateKbps: played.reduce((sum, { kbps, playedMs }) => sum + kbps * playedMs, 0) / wholeMs,
    switches: played.slice(1).flatMap(({ atMs, kbps: toKbps }, place) => {
      const { kbps: fromKbps } = played[place] as PlayedRepresentation;
      return fromKbps === toKbps ? [] : [{ atMs, fromKbps, toKbps }];
    }),
  };
}

function withoutBitrate(why: string): BitrateReport {
  return { meanBitrateKbps: null, bitrateMissing: why };
}
