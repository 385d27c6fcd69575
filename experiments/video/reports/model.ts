import { playerNamed } from '../players/index.ts';
import type { Nudge } from '../players/player.ts';
import { SHORTEST_STALL_MS } from '../playhead.ts';
import type { PlayerRequest, Stall } from '../records.ts';
import { type MediaKind, wholeSegments } from '../segments.ts';
import type { SessionReporter } from './session-reporter.ts';

/** How Chromium plays what has come: what is constant in its media/renderers, and what was measured of it once. */
const BROWSER = {
  /** Sound that has to be decoded ahead before playing begins (kStartingCapacity); twice as much each time it has run dry (IncreasePlaybackThreshold) */
  soundMs: 200,
  /** up to this (kMaxCapacity), and as at first after a seek. */
  mostSoundMs: 3_000,
  /** Of the picture: 3 frames (WICG, media-latency-hint), here of 25 a second. */
  pictureMs: 120,
  /** How long it plays sound without a picture before it stops for one (kDefaultVideoUnderflowThreshold). */
  soundAloneMs: 3_000,
  /** Measured, 45 to 54: what of the sound has been handed to the system when none is left to hand on. It is heard, and the playhead waits before it. */
  handedOnMs: 50,
  /** Measured: from a segment's last byte until the browser has it from the player, */
  appendingMs: 5,
  /** and from then on until the playhead moves that stood. */
  decodingMs: 10,
} as const;

/** Segments of one rung touch over gaps up to this long: they are cut at frames, of the sound too. */
const GAP_MS = 100;

/** A segment that has come. */
interface Piece {
  kind: MediaKind;
  fromMs: number;
  untilMs: number;
  atMs: number;
}

/** What is computed from when segments had arrived, and nothing else that was seen. */
export const reportByModel: SessionReporter = ({ asked, player, watchedMs, durationMs }) => {
  const arrivals = new Arrivals(asked, durationMs);
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

/** Where the playhead stops for want of data, or stands at first. */
interface Stop {
  atMs: number;
  /** How much of the sound is still heard from then on. */
  handedOnMs: number;
  waits: readonly MediaKind[];
}

/** What of a video has come by when. */
class Arrivals {
  readonly kinds: readonly MediaKind[];
  readonly beginMs: number;
  readonly #durationMs: number;
  readonly #pieces: readonly Piece[];

  constructor(asked: readonly PlayerRequest[], durationMs: number) {
    this.kinds = (['video', 'audio'] as const).filter((kind) =>
      asked.some((each) => each.kind === kind),
    );
    this.#pieces = wholeSegments(asked, 'video', 'audio')
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

  /** When the playhead moves again that stands at a place, and how much is skipped for it; null: it never does. */
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

  /** When the playhead stops that moves from a place on; null: it comes to the end of the video. */
  stops(atMs: number, positionMs: number): Stop | null {
    const moments = [atMs, ...this.#momentsAfter(atMs), Number.POSITIVE_INFINITY];
    let bareSinceMs: number | null = null;
    for (const [index, byMs] of moments.slice(0, -1).entries()) {
      if (this.#isWhole(positionMs, byMs)) return null;
      const nextMs = moments[index + 1] as number;
      const reachedMs = (kind: MediaKind) =>
        atMs + this.#until(kind, positionMs, byMs) - positionMs;
      const pictureMs = this.kinds.includes('video') ? reachedMs('video') : nextMs;
      // A picture that comes when the playhead has passed it does not help.
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

  /** Whether everything from a place on had come by a moment: then the browser knows that it is all, and waits for no more. */
  #isWhole(positionMs: number, byMs: number): boolean {
    return this.kinds.every(
      (kind) => this.#until(kind, positionMs, byMs) >= this.#durationMs - GAP_MS,
    );
  }

  /** To where a kind had come without a gap from a place on; the place itself when nothing had. */
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
