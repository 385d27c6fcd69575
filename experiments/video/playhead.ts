import type { WatchedSession } from './players/watched-session.ts';

/** Where the video was at one moment, and how far it was buffered from there on; null: it was not looked. */
export interface Sample {
  atMs: number;
  mediaMs: number;
  bufferedUntilMs: number | null;
  /** Whether it had just been moved there by a seek. */
  sought?: boolean;
}

/** A time in which the playhead did not move. */
interface Standstill {
  atMs: number;
  durationMs: number;
  /** Whether it moved on before the end of watching. */
  ended: boolean;
  /** Where it stood. */
  mediaMs: number;
  /** How much was buffered ahead when last looked before it moved on; null: it was never looked. */
  aheadMs: number | null;
}

/**
 * The shortest time without moving that counts, in ms: two frames of 25 a second. The clock of the sound runs on while a frame is shown, so that
 * the playhead of a video that plays as it should is never more than that behind.
 */
export const SHORTEST_STALL_MS = 80;

/** What the playhead may seem to lose between two looks though it moves, in ms: half a frame of 25 a second. */
const JITTER_MS = 20;

/** By how much the playhead may run ahead of the wall clock between two looks, in ms; by more, it was moved there. */
const LEAP_MS = 100;

/** Where the playhead was when: every look at it, in their order. */
export function playheadOf({
  ticks,
  element,
}: Pick<WatchedSession, 'ticks' | 'element'>): Sample[] {
  const events = element
    // The time of a frame is that of its showing, before it is told and the playhead looked at.
    .filter(({ event }) => event !== 'frame')
    .map(({ atMs, mediaMs, event }) => {
      return { atMs, mediaMs, bufferedUntilMs: null, sought: event === 'seeking' };
    });
  return [{ atMs: 0, mediaMs: 0, bufferedUntilMs: null }, ...ticks, ...events].sort(
    (a, b) => a.atMs - b.atMs,
  );
}

/** How much of the video was played from one look to the next, in ms: a leap or a way back is no playing. */
function played(from: Sample, to: Sample): number {
  const movedMs = to.mediaMs - from.mediaMs;
  return to.sought || movedMs < 0 || movedMs > to.atMs - from.atMs + LEAP_MS ? 0 : movedMs;
}

/** How much of the video was played, in ms. */
export function playedMs(samples: readonly Sample[]): number {
  return samples.slice(1).reduce((sum, to, index) => sum + played(samples[index] as Sample, to), 0);
}

/** Where the playhead was at a moment, in ms of the video: between two looks at it, it moves first and then stands. */
export function positionAt(samples: readonly Sample[], atMs: number): number {
  const next = samples.findIndex((sample) => sample.atMs > atMs);
  const from = samples.at(next === -1 ? -1 : next - 1) as Sample;
  const to = next === -1 ? from : (samples[next] as Sample);
  return from.mediaMs + Math.min(atMs - from.atMs, played(from, to));
}

/** When the playhead first was at a place, or beyond it; its last look when it never was. */
export function reachedMs(samples: readonly Sample[], mediaMs: number): number {
  const next = samples.findIndex((sample) => sample.mediaMs >= mediaMs);
  const to = samples.at(next) as Sample;
  const from = samples[next - 1];
  return from ? Math.min(to.atMs, from.atMs + mediaMs - from.mediaMs) : to.atMs;
}

/** When the playhead stood, for however short a time, in their order; the first is that before playing began. */
export function standstills(samples: readonly Sample[]): Standstill[] {
  const found: Standstill[] = [];
  let first: number | null = null;
  for (let at = 1; at <= samples.length; at += 1) {
    const stands = at < samples.length && stoodStill(samples, at);
    if (stands) first ??= at;
    else if (first !== null) {
      found.push(standstillFrom(samples, first, at - 1));
      first = null;
    }
  }
  return found;
}

/** Whether the playhead stood, for some of the time, before a look and after the one before it. */
function stoodStill(samples: readonly Sample[], at: number): boolean {
  const [from, to] = [samples[at - 1] as Sample, samples[at] as Sample];
  const lostMs = to.atMs - from.atMs - played(from, to);
  // A look at once after another one sees the same though the playhead moves; that makes no standstill that is long enough to count.
  return lostMs > JITTER_MS || lostMs * 2 >= to.atMs - from.atMs;
}

/** What stands between the look before the first and the last one. */
function standstillFrom(samples: readonly Sample[], first: number, last: number): Standstill {
  const [before, next] = [samples[first - 1] as Sample, samples[first] as Sample];
  const [lastBut, end] = [samples[last - 1] as Sample, samples[last] as Sample];
  const spanned = samples.slice(first - 1, last + 1);
  const beforeMs = first === 1 ? 0 : played(before, next);
  const lastBuffered = spanned
    .slice(0, -1)
    .findLast(({ bufferedUntilMs }) => bufferedUntilMs !== null);
  return {
    atMs: before.atMs + beforeMs,
    durationMs: end.atMs - before.atMs - playedMs(spanned),
    ended: last < samples.length - 1 || played(lastBut, end) > JITTER_MS,
    mediaMs: before.mediaMs + beforeMs,
    aheadMs: lastBuffered ? (lastBuffered.bufferedUntilMs as number) - lastBuffered.mediaMs : null,
  };
}
