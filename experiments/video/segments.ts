import type { PlayerRequest } from './records.ts';

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

/** Completely received segments, in the order requested. */
export function wholeSegments(
  requests: readonly PlayerRequest[],
  ...kinds: readonly MediaKind[]
): WholeSegment[] {
  return requests.filter(
    (each): each is WholeSegment =>
      kinds.some((kind) => kind === each.kind) &&
      each.endMs !== null &&
      each.fromMs !== null &&
      each.durationMs !== null &&
      each.kbps !== null &&
      each.failed === null,
  );
}
