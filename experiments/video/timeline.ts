import { positionAt, reachedMs, type Sample } from './playhead.ts';
import type { PlayerRequest } from './records.ts';
import { isMedia, type MediaKind, type WholeSegment, wholeSegments } from './segments.ts';
import { streamOf } from './stream.ts';

/** A part of the video, and the segment that the browser has of it. */
interface Part {
  fromMs: number;
  untilMs: number;
  segment: WholeSegment;
}

/**
 * Which segment each part of the video is of: the one that came last of it, whole, before the playhead was at its beginning. One that comes later
 * changes nothing of what is there, for the browser goes over to it with a frame that needs no other, of which a segment has one, its first; it
 * fills only what nothing had come of.
 */
function partsOf(
  asked: readonly PlayerRequest[],
  kind: MediaKind,
  playhead: readonly Sample[],
): Part[] {
  let parts: Part[] = [];
  for (const segment of wholeSegments(asked, kind).sort((a, b) => a.endMs - b.endMs)) {
    const atMs = positionAt(playhead, segment.endMs);
    const untilMs = segment.fromMs + segment.durationMs;
    const isInTime = atMs <= segment.fromMs;
    const whole = { fromMs: Math.max(segment.fromMs, atMs), untilMs, segment };
    parts = isInTime
      ? [...parts.flatMap((part) => subtractPart(part, whole)), whole]
      : [
          ...parts,
          ...parts.reduce((gaps, part) => gaps.flatMap((gap) => subtractPart(gap, part)), [whole]),
        ];
  }
  return parts;
}

/** What is left of a part beside another one. */
function subtractPart(part: Part, { fromMs, untilMs }: Part): Part[] {
  return [
    { ...part, untilMs: Math.min(part.untilMs, fromMs) },
    { ...part, fromMs: Math.max(part.fromMs, untilMs) },
  ].filter((left) => left.untilMs > left.fromMs);
}

/** A rung of the picture, from when on it was played, and how much of the video was. */
export interface PlayedRepresentation {
  kbps: number;
  atMs: number;
  playedMs: number;
}

/** The rungs of the picture that were played, in the order of the video, by its segments. */
export function playedRepresentations(
  asked: readonly PlayerRequest[],
  playhead: readonly Sample[],
): PlayedRepresentation[] {
  const endMs = Math.max(...playhead.map(({ mediaMs }) => mediaMs));
  return partsOf(asked, 'video', playhead)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(({ fromMs, untilMs, segment }) => ({
      kbps: segment.kbps,
      atMs: reachedMs(playhead, fromMs),
      playedMs: Math.min(untilMs, endMs) - fromMs,
    }))
    .filter(({ playedMs }) => playedMs > 0);
}

/**
 * Bytes of segments that were not for playing: what another segment of the same part took the place of, and what came of segments that failed.
 * null: nothing of a segment came.
 */
export function wastedBytes(
  asked: readonly PlayerRequest[],
  playhead: readonly Sample[],
): number | null {
  const media = asked.filter(({ kind, bytes }) => isMedia(kind) && bytes > 0);
  if (media.length === 0) return null;
  const failed = media.filter((each) => each.failed !== null);
  const replaced = (['video', 'audio'] as const).flatMap((kind) => {
    const parts = partsOf(asked, kind, playhead);
    return wholeSegments(asked, kind).map((segment) => {
      const untilMs = segment.fromMs + segment.durationMs;
      const takenMs = parts
        .filter((part) => part.segment !== segment)
        .reduce(
          (sum, part) =>
            sum +
            Math.max(0, Math.min(part.untilMs, untilMs) - Math.max(part.fromMs, segment.fromMs)),
          0,
        );
      return (segment.bytes * takenMs) / segment.durationMs;
    });
  });
  const bytes = [...failed.map((each) => each.bytes), ...replaced];
  return Math.round(bytes.reduce((sum, each) => sum + each, 0));
}

/** Bytes of whole segments over the time in which at least one of them was under way, in kbit/s; null: none came. */
export function downloadKbps(asked: readonly PlayerRequest[]): number | null {
  const stream = streamOf(asked, 'video', 'audio');
  return stream && (8 * stream.bytes) / stream.underWayMs;
}
