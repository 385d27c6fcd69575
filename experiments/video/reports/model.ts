import { playerNamed } from '../players/index.ts';
import type { Nudge } from '../players/player.ts';
import { SHORTEST_STALL_MS } from '../playhead.ts';
import type { PlayerRequest, Stall } from '../records.ts';
import { type MediaKind, wholeSegments } from '../segments.ts';
import type { SessionReporter } from './session-reporter.ts';

/** Playback in Chromium: constants of its media/renderers, and measured values. */
const BROWSER = {
  /** Decoded sound required to start (kStartingCapacity); reset by a seek, doubled by each underflow (IncreasePlaybackThreshold) */
  soundMs: 200,
  /** Maximum of soundMs (kMaxCapacity). */
  mostSoundMs: 3_000,
  /** Decoded picture required to start: 3 frames (WICG, media-latency-hint) at 25 frames/s. */
  pictureMs: 120,
  /** Sound continues this long without a picture (kDefaultVideoUnderflowThreshold). */
  soundAloneMs: 3_000,
  /** Measured, 45 to 54: sound in the system's buffer at an underflow. It is still audible, but the playhead stops before it. */
  handedOnMs: 50,
  /** Measured: from a segment's last byte until the player has appended it. */
  appendingMs: 5,
  /** Measured: from the appending until a stopped playhead moves. */
  decodingMs: 10,
} as const;

/** Longest gap between contiguous segments: both picture and sound are cut at frames. */
const GAP_MS = 100;

/** A received segment. */
interface Piece {
  kind: MediaKind;
  fromMs: number;
  untilMs: number;
  atMs: number;
}

/** Computes start-up and stalls only from the arrival times of segments. */
export const reportByModel: SessionReporter = ({
  playerRequests,
  player,
  watchedMs,
  durationMs,
}) => {
  const arrivals = new Arrivals(playerRequests, durationMs);
  const nudge = playerNamed(player.name)?.nudge ?? null;
  const stalls: Stall[] = [];
  let startupMs: number | null = null;
  let soundMs: number = BROWSER.soundMs;
  let stop: Stop | null = { atMs: 0, handedOnMs: 0, waits: arrivals.kinds };
  let positionMs = arrivals.beginMs;
  while (stop && stop.waits.length > 0) {
    const needsMs = { audio: soundMs, video: BROWSER.pictureMs };
    const on = arrivals.goesOn(stop, { positionMs, needsMs, nudge });
    const onMs = on && on.atMs < watchedMs ? on.atMs : null;
    const dryMs = stop.atMs + stop.handedOnMs;
    const durationMs = (onMs ?? watchedMs) - dryMs;
    if (startupMs !== null && durationMs >= SHORTEST_STALL_MS) {
      stalls.push({ atMs: dryMs, durationMs, ended: onMs !== null });
    }
    if (on === null || onMs === null) break;
    startupMs ??= onMs;
    positionMs += Math.min(stop.handedOnMs, onMs - stop.atMs) + on.skippedMs;
    if (on.skippedMs > 0) soundMs = BROWSER.soundMs;
    stop = arrivals.stops(onMs, positionMs);
    if (stop === null || stop.atMs >= watchedMs) break;
    positionMs += stop.atMs - onMs;
    if (stop.waits.includes('audio')) soundMs = Math.min(2 * soundMs, BROWSER.mostSoundMs);
  }
  return { startupMs, stalls };
};

/** A stop of the playhead, which waits for data, at start-up or later. */
interface Stop {
  atMs: number;
  /** Duration of the sound that remains audible after the stop. */
  handedOnMs: number;
  waits: readonly MediaKind[];
}

/** Arrival times of the segments of a video. */
class Arrivals {
  readonly kinds: readonly MediaKind[];
  readonly beginMs: number;
  readonly #durationMs: number;
  readonly #pieces: readonly Piece[];

  constructor(requests: readonly PlayerRequest[], durationMs: number) {
    this.kinds = (['video', 'audio'] as const).filter((kind) =>
      requests.some((each) => each.kind === kind),
    );
    this.#pieces = wholeSegments(requests, 'video', 'audio')
      .map(({ kind, fromMs, durationMs, endMs }) => ({
        kind,
        fromMs,
        untilMs: fromMs + durationMs,
        atMs: endMs + BROWSER.appendingMs,
      }))
      .sort((a, b) => a.fromMs - b.fromMs);
    this.beginMs = this.#pieces[0]?.fromMs ?? 0;
    this.#durationMs = durationMs;
  }

  /** When a stopped playhead moves again, and how much it skips; null: never. */
  goesOn(
    { atMs, waits }: Stop,
    {
      positionMs,
      needsMs,
      nudge,
    }: { positionMs: number; needsMs: Record<MediaKind, number>; nudge: Nudge | null },
  ): { atMs: number; skippedMs: number } | null {
    const moments = [atMs, ...this.#momentsAfter(atMs)];
    const has = (kinds: readonly MediaKind[], aheadMs: (kind: MediaKind) => number) =>
      moments.find((byMs) =>
        kinds.every((kind) => this.#until(kind, positionMs, byMs) >= positionMs + aheadMs(kind)),
      ) ?? Number.POSITIVE_INFINITY;
    const wholeMs =
      moments.find((byMs) => this.#isWhole(positionMs, byMs)) ?? Number.POSITIVE_INFINITY;
    const itselfMs = Math.min(
      wholeMs,
      has(waits, (kind) => needsMs[kind]),
    );
    const nudgedMs = nudge ? has(this.kinds, () => nudge.aheadMs) + nudge.afterMs : itselfMs;
    if (itselfMs === Number.POSITIVE_INFINITY && nudgedMs === itselfMs) return null;
    return nudge && nudgedMs < itselfMs
      ? { atMs: nudgedMs + BROWSER.decodingMs, skippedMs: nudge.byMs }
      : { atMs: itselfMs + BROWSER.decodingMs, skippedMs: 0 };
  }

  /** When a playhead that moves from a position on stops; null: it reaches the end of the video. */
  stops(atMs: number, positionMs: number): Stop | null {
    const moments = [atMs, ...this.#momentsAfter(atMs), Number.POSITIVE_INFINITY];
    let bareSinceMs: number | null = null;
    for (const [index, byMs] of moments.slice(0, -1).entries()) {
      if (this.#isWhole(positionMs, byMs)) return null;
      const nextMs = moments[index + 1] as number;
      const reachedMs = (kind: MediaKind) =>
        atMs + this.#until(kind, positionMs, byMs) - positionMs;
      const pictureMs = this.kinds.includes('video') ? reachedMs('video') : nextMs;
      // Picture data counts only if it reaches far enough ahead of the playhead.
      if (pictureMs >= byMs + BROWSER.pictureMs) bareSinceMs = null;
      bareSinceMs ??= pictureMs;
      const hasSound = this.kinds.includes('audio');
      const soundMs = hasSound ? reachedMs('audio') - BROWSER.handedOnMs : nextMs;
      const aloneMs = bareSinceMs + (hasSound ? BROWSER.soundAloneMs : 0);
      const stopMs = Math.max(byMs, Math.min(soundMs, aloneMs));
      if (stopMs < nextMs) {
        const waits = this.kinds.filter((kind) =>
          kind === 'audio' ? soundMs <= stopMs : (bareSinceMs as number) <= stopMs,
        );
        return { atMs: stopMs, handedOnMs: soundMs <= stopMs ? BROWSER.handedOnMs : 0, waits };
      }
      if (bareSinceMs >= nextMs) bareSinceMs = null;
    }
    return null;
  }

  /** Whether the rest of the video had arrived: the browser then plays without a minimum buffer. */
  #isWhole(positionMs: number, byMs: number): boolean {
    return this.kinds.every(
      (kind) => this.#until(kind, positionMs, byMs) >= this.#durationMs - GAP_MS,
    );
  }

  /** End of the gapless data from a position on; the position itself without data. */
  #until(kind: MediaKind, positionMs: number, byMs: number): number {
    let untilMs = positionMs;
    for (const piece of this.#pieces) {
      if (piece.kind === kind && piece.atMs <= byMs && piece.fromMs <= untilMs + GAP_MS) {
        untilMs = Math.max(untilMs, piece.untilMs);
      }
    }
    return untilMs;
  }

  #momentsAfter(sinceMs: number): number[] {
    return this.#pieces
      .map(({ atMs }) => atMs)
      .filter((atMs) => atMs > sinceMs)
      .sort((a, b) => a - b);
  }
}
