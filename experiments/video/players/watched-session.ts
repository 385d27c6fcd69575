import type { Failure } from '../../../clients/chromium/failure.ts';
import type { CdpEvent } from '../../../clients/chromium/har/events.ts';

/** What the `<video>` element said. All times are in ms since the player was told to play. */
export interface ElementEvent {
  atMs: number;
  /** The element's own names; `frame`: the first one was handed to the screen. */
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
  /** Where in the video, in ms. */
  mediaMs: number;
  /** Of `resize`: how high the picture is from then on, in pixels. */
  heightPx?: number;
}

/** What the player's own statistics said, in the same words for every player. */
export interface PlayerEvent {
  atMs: number;
  event: 'started' | 'buffering' | 'buffered' | 'switched' | 'ended';
  /** Of `switched`: the rate of the rung of the picture that it now asks for; the first is what it begins with. */
  kbps?: number;
}

/** Where the video is and how far it is buffered, again and again. */
export interface Tick {
  atMs: number;
  mediaMs: number;
  /** To where the video is buffered from there on without a gap, picture and sound; where it is itself when nothing is. */
  bufferedUntilMs: number;
}

/** A request of the player, as the browser's network told of it. */
export interface MediaRequest {
  url: string;
  /** First and last byte asked for; null: all. */
  range: readonly [number, number] | null;
  askedMs: number;
  firstByteMs: number | null;
  /** When its last byte had come; null: it never did. */
  endMs: number | null;
  /** Of its body, as far as they came. */
  bytes: number;
  status: number | null;
  /** h3, h2, http/1.1. */
  protocol: string | null;
  /** What the connection took to set up that was opened for it; null: none was, or no answer came. */
  connectMs: number | null;
  /** Why it came to no end; null: it did, or was under way at the end. */
  failed: string | null;
}

/** Everything that was seen of a session. */
export interface WatchedSession {
  player: { name: string; version: string };
  /** From telling the player to play to the end of watching; of a page that fell silent, to the last that was seen. */
  watchedMs: number;
  element: ElementEvent[];
  said: PlayerEvent[];
  ticks: Tick[];
  requests: MediaRequest[];
  /** What the browser told of the network until then, for a HAR. */
  events: readonly CdpEvent[];
  /** Of the picture; null: the element never had one. */
  frames: { shown: number; dropped: number } | null;
  /** Why watching ended before its time; null: it did not, or the video was over. What was seen until then is there. */
  failure: Failure | null;
}
