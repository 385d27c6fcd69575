import type { PlayerRequest } from './records.ts';

/** A segment that came whole. */
export type WholeSegment = PlayerRequest & {
  kind: MediaKind;
  endMs: number;
  fromMs: number;
  durationMs: number;
  kbps: number;
};

export type MediaKind = 'video' | 'audio';

export function isMedia(kind: PlayerRequest['kind']): kind is MediaKind {
  return kind === 'video' || kind === 'audio';
}

/** The segments that came whole of some kinds, in the order of asking. */
export function wholeSegments(
  asked: readonly PlayerRequest[],
  ...kinds: readonly MediaKind[]
): WholeSegment[] {
  return asked.filter(
    (each): each is WholeSegment =>
      kinds.some((kind) => kind === each.kind) &&
      each.endMs !== null &&
      each.fromMs !== null &&
      each.durationMs !== null &&
      each.kbps !== null &&
      each.failed === null,
  );
}
