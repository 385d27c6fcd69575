import type { Presentation } from '../../cache/presentation.ts';
import type { MediaRequest, WatchedSession } from './players/watched-session.ts';
import type { PlayerRequest } from './records.ts';

type RequestedPiece = Pick<
  PlayerRequest,
  'kind' | 'representation' | 'mime' | 'kbps' | 'fromMs' | 'durationMs'
>;

const NO_PIECE = {
  representation: null,
  mime: null,
  kbps: null,
  fromMs: null,
  durationMs: null,
} as const;

/** Requests in the order sent, with the segment or file of the presentation that each one requests. */
export function playerRequestsOf(
  { requests }: Pick<WatchedSession, 'requests'>,
  presentation: Presentation,
  manifestUrl: string,
): PlayerRequest[] {
  const known = piecesOf(presentation, manifestUrl);
  return requests
    .map((request) => ({
      ...(known.get(keyOf(request.url, request.range)) ?? { ...NO_PIECE, kind: 'other' as const }),
      url: request.url,
      protocol: request.protocol,
      connectMs: request.connectMs,
      requestedMs: request.requestedMs,
      firstByteMs: request.firstByteMs,
      endMs: request.endMs,
      bytes: request.bytes,
      failed: failureOf(request),
    }))
    .sort((a, b) => a.requestedMs - b.requestedMs);
}

function failureOf({ failed, status }: MediaRequest): string | null {
  return failed ?? (status !== null && status >= 400 ? `answered ${status}` : null);
}

function piecesOf(presentation: Presentation, manifestUrl: string): Map<string, RequestedPiece> {
  const known = new Map<string, RequestedPiece>([
    [keyOf(manifestUrl, null), { ...NO_PIECE, kind: 'manifest' }],
  ]);
  for (const { id, kind, mime, kbps, init, segments } of presentation.representations) {
    const own = { representation: id, mime, kbps };
    if (init) known.set(keyOf(init.url, init.bytes), { ...NO_PIECE, kind: 'init', ...own });
    for (const { url, bytes, fromMs, durationMs } of segments) {
      known.set(keyOf(url, bytes), { kind, ...own, fromMs, durationMs });
    }
  }
  return known;
}

function keyOf(url: string, range: MediaRequest['range']): string {
  return range === null ? url : `${url} ${range[0]}-${range[1]}`;
}
