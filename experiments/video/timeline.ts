import { positionAt, reachedMs, type Sample } from './playhead.ts';
import type { PlayerRequest } from './records.ts';
import { isMedia, type MediaKind, type WholeSegment, wholeSegments } from './segments.ts';
import { streamOf } from './stream.ts';

/** A part of the video with the segment from which the browser plays it. */
interface Part {
  fromMs: number;
  untilMs: number;
  segment: WholeSegment;
}

/**
 * Assigns a segment to each part of the video: the last one that arrived completely before the
 * playhead reached its start. A later segment fills gaps only: the browser can change to it at a key
 * frame, and the first frame is its only one.
 */
function partsOf(
  requests: readonly PlayerRequest[],
  kind: MediaKind,
  playhead: readonly Sample[],
): Part[] {
  let parts: Part[] = [];
  for (const segment of wholeSegments(requests, kind).sort((a, b) => a.endMs - b.endMs)) {
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

/** The pieces of a part that remain outside of another part. */
function subtractPart(part: Part, { fromMs, untilMs }: Part): Part[] {
  return [
    { ...part, untilMs: Math.min(part.untilMs, fromMs) },
    { ...part, fromMs: Math.max(part.fromMs, untilMs) },
  ].filter((rest) => rest.untilMs > rest.fromMs);
}

/** A played video representation. `atMs`: when it was first played. */
export interface PlayedRepresentation {
  kbps: number;
  atMs: number;
  playedMs: number;
}

/** Derives the played video representations from the segments, in the order of the video. */
export function playedRepresentations(
  requests: readonly PlayerRequest[],
  playhead: readonly Sample[],
): PlayedRepresentation[] {
  const endMs = Math.max(...playhead.map(({ mediaMs }) => mediaMs));
  return partsOf(requests, 'video', playhead)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(({ fromMs, untilMs, segment }) => ({
      kbps: segment.kbps,
      atMs: reachedMs(playhead, fromMs),
      playedMs: Math.min(untilMs, endMs) - fromMs,
    }))
    .filter(({ playedMs }) => playedMs > 0);
}

/** Bytes of segments that another segment replaced, or that failed; null: no byte of a segment. */
export function wastedBytes(
  requests: readonly PlayerRequest[],
  playhead: readonly Sample[],
): number | null {
  const media = requests.filter(({ kind, bytes }) => isMedia(kind) && bytes > 0);
  if (media.length === 0) return null;
  const failed = media.filter((each) => each.failed !== null);
  const replaced = (['video', 'audio'] as const).flatMap((kind) => {
    const parts = partsOf(requests, kind, playhead);
    return wholeSegments(requests, kind).map((segment) => {
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

/** Bytes of complete segments over the time in which at least one was in flight; null: no segment. */
export function downloadKbps(requests: readonly PlayerRequest[]): number | null {
  const stream = streamOf(requests, 'video', 'audio');
  return stream && (8 * stream.bytes) / stream.underWayMs;
}
