import type { VideoChoices } from '../records.ts';
import type { PlayerEvent } from './watched-session.ts';

export type PlayerSettings = Pick<VideoChoices, 'bufferMs' | 'adapts' | 'bitrateKbps'>;

export interface EventReporter {
  (event: PlayerEvent['event'], more?: Pick<PlayerEvent, 'kbps'>): void;
  /** Reports that the player gave up, with its own message. */
  failed(message: string): void;
}

/** A player that is attached to a `<video>` element and has sent no request. */
export interface AttachedPlayer {
  version: string;
  /** Plays from the beginning. `url`: manifest. */
  play(url: string): void;
}

/** A seek that the player makes when the playhead stands although data is buffered. */
export interface Nudge {
  /** Required buffer ahead of the playhead. */
  aheadMs: number;
  /** Required standstill. */
  afterMs: number;
  byMs: number;
}

/** Adapter of a player. */
export interface Player {
  /** Name of the player, of its folder, and of its value of the factor. */
  name: string;
  /** Value of `--player`. */
  word: string;
  /** Name in reports. */
  label: string;
  /** Path of its program for browsers, below node_modules. */
  file: string;
  /** Sequential requests until the first segments: manifest, initialization segments, segments. */
  requestsInTurn: number;
  /** null: the player never makes such seeks. */
  nudge: Nudge | null;
  /** Runs in the page, so it must not refer to anything outside itself. Must not use data of earlier sessions. */
  attach(
    video: HTMLVideoElement,
    settings: PlayerSettings,
    say: EventReporter,
  ): AttachedPlayer | Promise<AttachedPlayer>;
}
