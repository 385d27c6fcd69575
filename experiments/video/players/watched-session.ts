import type { CdpEvent } from '../../../clients/chromium/har/events.ts';
import type { Failure } from '../../../clients/load-failure.ts';

/** An event of the `<video>` element. All times are in ms since the call to play. */
export interface ElementEvent {
  atMs: number;
  /** Name of the event in HTML; `frame`: the element presented its first frame. */
  event:
    | 'loadedmetadata'
    | 'resize'
    | 'canplay'
    | 'playing'
    | 'waiting'
    | 'pause'
    | 'seeking'
    | 'seeked'
    | 'ended'
    | 'error'
    | 'frame';
  /** Position in the video. */
  mediaMs: number;
  /** For `resize`: new height of the picture, in pixels. */
  heightPx?: number;
}

/** An event of the player's own statistics, with the same names for every player. */
export interface PlayerEvent {
  atMs: number;
  event: 'started' | 'buffering' | 'buffered' | 'switched' | 'ended';
  /** `switched`: bitrate of the representation that the player now requests. The first event has the initial bitrate. */
  kbps?: number;
}

/** A periodic sample of playhead and buffer. */
export interface Tick {
  atMs: number;
  mediaMs: number;
  /** End of the gapless buffer of picture and sound; the playhead itself if nothing is buffered. */
  bufferedUntilMs: number;
}

/** A request of the player, from the browser's network events. */
export interface MediaRequest {
  url: string;
  /** First and last requested byte; null: all. */
  range: readonly [number, number] | null;
  requestedMs: number;
  firstByteMs: number | null;
  /** Arrival of the last byte; null: never. */
  endMs: number | null;
  /** Received part of the body. */
  bytes: number;
  status: number | null;
  /** h3, h2, http/1.1. */
  protocol: string | null;
  /** Set-up time of the connection opened for it; null: existing connection, or no response. */
  connectMs: number | null;
  /** Error; null: it succeeded, or was in flight at the end. */
  failed: string | null;
}

export interface WatchedSession {
  player: { name: string; version: string };
  /** From the call to play to the end of watching, or to the last tick of a page that fell silent. */
  watchedMs: number;
  element: ElementEvent[];
  said: PlayerEvent[];
  ticks: Tick[];
  requests: MediaRequest[];
  /** Network events until the end of watching, for a HAR. */
  events: readonly CdpEvent[];
  /** null: no picture appeared. */
  frames: { shown: number; dropped: number } | null;
  /** Why watching ended early; null: it lasted as planned, or to the end of the video. */
  failure: Failure | null;
}
