import type { Presentation } from '../../../../cache/presentation.ts';
import type {
  ElementEvent,
  MediaRequest,
  PlayerEvent,
  WatchedSession,
} from '../../players/watched-session.ts';

const HOST = 'https://video.example';
export const MANIFEST_URL = `${HOST}/manifest.mpd`;
export const SEGMENT_MS = 2000;
const TICK_MS = 100;

/** When the playhead starts to move, or stands at a position. */
export type Move = readonly [atMs: number, does: 'plays' | 'stands'];

/** An observed session; the playhead stands at 0 until it plays. */
export function watchedSession({
  moves = [],
  events = [],
  said = [],
  requests = [],
  watchedMs = 10_000,
  bufferedUntilMs = 60_000,
  // A player unknown to the model.
  player = 'another',
}: {
  moves?: readonly Move[];
  events?: readonly (readonly [number, ElementEvent['event']])[];
  said?: readonly (readonly [number, PlayerEvent['event']])[];
  requests?: readonly MediaRequest[];
  watchedMs?: number;
  bufferedUntilMs?: number;
  player?: string;
}): WatchedSession {
  const mediaMsAt = (atMs: number) =>
    moves.reduce((sum, [fromMs, does], index) => {
      const untilMs = Math.min(atMs, moves[index + 1]?.[0] ?? atMs);
      return does === 'plays' ? sum + Math.max(0, untilMs - fromMs) : sum;
    }, 0);
  return {
    player: { name: player, version: '1.0' },
    watchedMs,
    element: events.map(([atMs, event]) => ({ atMs, event, mediaMs: mediaMsAt(atMs) })),
    said: said.map(([atMs, event]) => ({ atMs, event })),
    ticks: Array.from({ length: Math.floor(watchedMs / TICK_MS) }, (_, index) => {
      const atMs = (index + 1) * TICK_MS;
      return { atMs, mediaMs: mediaMsAt(atMs), bufferedUntilMs };
    }),
    requests: [...requests],
    events: [],
    frames: { shown: 100, dropped: 3 },
    failure: null,
  };
}

const REPRESENTATIONS = [
  { id: 'low', kind: 'video', kbps: 100 },
  { id: 'high', kind: 'video', kbps: 400 },
  { id: 'tone', kind: 'audio', kbps: 64 },
] as const;

/** Two quality levels of picture and one of sound, in segments of 2 s. */
export function presentation(durationMs = 20_000): Presentation {
  return {
    durationMs,
    representations: REPRESENTATIONS.map(({ id, kind, kbps }) => ({
      id,
      kind,
      kbps,
      codecs: kind === 'video' ? 'vp09.00.10.08' : 'opus',
      mime: `${kind}/webm`,
      width: null,
      height: null,
      init: { url: `${HOST}/${id}/init`, bytes: null },
      segments: Array.from({ length: durationMs / SEGMENT_MS }, (_, index) => ({
        url: segmentUrl(id, index * SEGMENT_MS),
        bytes: null,
        fromMs: index * SEGMENT_MS,
        durationMs: SEGMENT_MS,
      })),
    })),
  };
}

export function segmentUrl(representation: string, fromMs: number): string {
  return `${HOST}/${representation}/${fromMs}`;
}

export function request(
  url: string,
  [requestedMs, endMs]: readonly [number, number | null],
  more: Partial<MediaRequest> = {},
): MediaRequest {
  return {
    url,
    range: null,
    requestedMs,
    firstByteMs: requestedMs + 10,
    endMs,
    bytes: 25_000,
    status: 200,
    protocol: 'h3',
    connectMs: null,
    failed: null,
    ...more,
  };
}

/** A whole segment of a quality level, and its arrival time. */
export function segment(representation: string, fromMs: number, endMs: number): MediaRequest {
  return request(segmentUrl(representation, fromMs), [endMs - 100, endMs]);
}

/** The playhead plays at the first moment, stands at the next, and so on. */
export function moves(...atMs: number[]): [atMs: number, move: 'plays' | 'stands'][] {
  return atMs.map((each, index) => [each, index % 2 === 0 ? 'plays' : 'stands']);
}
