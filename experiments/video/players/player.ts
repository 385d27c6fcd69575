import type { VideoChoices } from '../records.ts';
import type { PlayerEvent } from './watched.ts';

/** What a player is told of how to play; the words of a run's choices. */
export type PlayerSettings = Pick<VideoChoices, 'bufferMs' | 'adapts' | 'bitrateKbps'>;

/** What a player says of a session while it plays. */
export interface Say {
  (event: PlayerEvent['event'], more?: Pick<PlayerEvent, 'kbps'>): void;
  /** That it has given up, in its own words. */
  failed(message: string): void;
}

/** A player that sits on a `<video>` element and has asked for nothing. */
export interface Attached {
  version: string;
  /** Plays a manifest from its beginning. */
  play(url: string): void;
}

/** A player: how it is told what to do, and what it says of it in the words of every player. */
export interface Player {
  /** Its program for browsers, below the folder where set-up puts players. */
  file: string;
  /** Runs in the page, so it may use nothing from outside itself. Nothing of sessions before may be remembered. */
  attach(video: HTMLVideoElement, settings: PlayerSettings, say: Say): Attached | Promise<Attached>;
}
