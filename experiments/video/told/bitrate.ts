import type { Rung } from '../../../cache/presentation.ts';
import type { Watched } from '../players/watched.ts';
import { playedMs, playheadOf, type Sample } from '../playhead.ts';
import type { AskedPiece, Told } from '../records.ts';
import { type RungPlayed, rungsPlayed } from '../timeline.ts';

/** What is told of the rungs that were played. */
type BitrateTold = Pick<Told, 'meanBitrateKbps' | 'bitrateUntold' | 'switches'>;

/** By how high the picture was that the element had on the screen, which tells the rung where no two are alike. */
export function bitrateByHeight(
  watched: Pick<Watched, 'element' | 'ticks'>,
  rungs: readonly Pick<Rung, 'id' | 'kind' | 'kbps' | 'height'>[],
): BitrateTold {
  const pictures = rungs.filter(({ kind }) => kind === 'video');
  for (const [place, { id, height }] of pictures.entries()) {
    if (height === null) return untold(`The manifest does not tell how high rung ${id} is.`);
    const same = pictures.slice(0, place).find((each) => each.height === height);
    if (same) return untold(`Rungs ${same.id} and ${id} are both ${height} pixels high.`);
  }
  const samples = playheadOf(watched);
  const resized = watched.element.filter(({ event }) => event === 'resize');
  const played: RungPlayed[] = [];
  for (const [place, { atMs, heightPx }] of resized.entries()) {
    const rung = pictures.find(({ height }) => height === heightPx);
    if (!rung) return untold(`The picture was ${heightPx} pixels high, which no rung is.`);
    const untilMs = resized[place + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const looks = samples.filter((look) => look.atMs >= atMs && look.atMs <= untilMs);
    played.push({ kbps: rung.kbps, atMs, playedMs: playedMs(looks) });
  }
  return bitrateOf(played, 'No picture was played.');
}

/**
 * By the segments that had come before they were played.
 * @param asked with the rates at which the teller has them
 */
export function bitrateBySegments(
  asked: readonly AskedPiece[],
  playhead: readonly Sample[],
): BitrateTold {
  return bitrateOf(rungsPlayed(asked, playhead), 'No segment of the picture was played.');
}

function bitrateOf(all: readonly RungPlayed[], whyNone: string): BitrateTold {
  const played = all.filter(({ playedMs }) => playedMs > 0);
  const wholeMs = played.reduce((sum, { playedMs }) => sum + playedMs, 0);
  if (wholeMs === 0) return untold(whyNone);
  return {
    meanBitrateKbps: played.reduce((sum, { kbps, playedMs }) => sum + kbps * playedMs, 0) / wholeMs,
    switches: played.slice(1).flatMap(({ atMs, kbps: toKbps }, place) => {
      const { kbps: fromKbps } = played[place] as RungPlayed;
      return fromKbps === toKbps ? [] : [{ atMs, fromKbps, toKbps }];
    }),
  };
}

function untold(why: string): BitrateTold {
  return { meanBitrateKbps: null, bitrateUntold: why };
}
