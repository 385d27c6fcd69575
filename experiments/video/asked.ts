import type { Presentation } from '../../cache/presentation.ts';
import type { MediaRequest, Watched } from './players/watched.ts';
import type { AskedPiece } from './records.ts';

type What = Pick<AskedPiece, 'kind' | 'rung' | 'mime' | 'kbps' | 'fromMs' | 'durationMs'>;

const OF_NONE = { rung: null, mime: null, kbps: null, fromMs: null, durationMs: null } as const;

/**
 * What every request of a player asked for, in the order of asking.
 * @param manifestUrl where the presentation was told
 */
export function askedOf(
  { requests }: Pick<Watched, 'requests'>,
  presentation: Presentation,
  manifestUrl: string,
): AskedPiece[] {
  const known = piecesOf(presentation, manifestUrl);
  return requests
    .map((request) => ({
      ...(known.get(keyOf(request.url, request.range)) ?? { ...OF_NONE, kind: 'other' as const }),
      url: request.url,
      protocol: request.protocol,
      connectMs: request.connectMs,
      askedMs: request.askedMs,
      firstByteMs: request.firstByteMs,
      endMs: request.endMs,
      bytes: request.bytes,
      failed: failureOf(request),
    }))
    .sort((a, b) => a.askedMs - b.askedMs);
}

function failureOf({ failed, status }: MediaRequest): string | null {
  return failed ?? (status !== null && status >= 400 ? `answered ${status}` : null);
}

function piecesOf(presentation: Presentation, manifestUrl: string): Map<string, What> {
  const known = new Map<string, What>([
    [keyOf(manifestUrl, null), { ...OF_NONE, kind: 'manifest' }],
  ]);
  for (const { id: rung, kind, mime, kbps, init, segments } of presentation.rungs) {
    if (init)
      known.set(keyOf(init.url, init.bytes), { ...OF_NONE, kind: 'init', rung, mime, kbps });
    for (const { url, bytes, fromMs, durationMs } of segments) {
      known.set(keyOf(url, bytes), { kind, rung, mime, kbps, fromMs, durationMs });
    }
  }
  return known;
}

function keyOf(url: string, range: MediaRequest['range']): string {
  return range === null ? url : `${url} ${range[0]}-${range[1]}`;
}
