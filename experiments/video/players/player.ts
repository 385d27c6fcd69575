import type { VideoChoices } from '../records.ts';
import type { PlayerEvent } from './watched-session.ts';

/** What a player is told of how to play; the words of a run's choices. */
export type PlayerSettings = Pick<VideoChoices, 'bufferMs' | 'adapts' | 'bitrateKbps'>;

/** What a player says of a session while it plays. */
export interface EventReporter {
  (event: PlayerEvent['event'], more?: Pick<PlayerEvent, 'kbps'>): void;
  /** That it has given up, in its own words. */
  failed(message: string): void;
}

/** A player that sits on a `<video>` element and has asked for nothing. */
export interface AttachedPlayer {
  version: string;
  /** Plays a manifest from its beginning. */
  play(url: string): void;
}

/** Moves on a playhead that stands though the browser has data, by a seek. */
export interface Nudge {
  /** Data that has to be there ahead of the playhead. */
  aheadMs: number;
  /** How long the playhead has to stand. */
  afterMs: number;
  byMs: number;
}

/** A player: how it is told what to do, and what it says of it in the words of every player. */
export interface Player {
  /** Its folder, and its value of the factor. */
  name: string;
  /** What `--player` calls it. */
  word: string;
  /** For readers. */
  label: string;
  /** Its program for browsers, below node_modules of the npm packages that its own package-lock.json names. */
  file: string;
  /** Requests that wait for the one before until the first segments are there: manifest, what decoders need, segments. */
  requestsInTurn: number;
  /** How it helps the playhead on; null: it does not. */
  nudge: Nudge | null;
  /** Runs in the page, so it may use nothing from outside itself. Nothing of sessions before may be remembered. */
  attach(
    video: HTMLVideoElement,
    settings: PlayerSettings,
    say: EventReporter,
  ): AttachedPlayer | Promise<AttachedPlayer>;
}
