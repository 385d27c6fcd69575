import type { WatchedSession } from './players/watched-session.ts';

/** Position of the playhead and end of the buffer (null: not sampled), in ms. */
export interface Sample {
  atMs: number;
  mediaMs: number;
  bufferedUntilMs: number | null;
  /** Whether a seek moved the playhead there. */
  sought?: boolean;
}

/** A time in which the playhead did not move. */
interface Standstill {
  atMs: number;
  durationMs: number;
  /** Whether the playhead moved again before the end of watching. */
  ended: boolean;
  /** Position in the video. */
  mediaMs: number;
  /** Buffer in the last sample before it moved again; null: not sampled. */
  aheadMs: number | null;
}

/**
 * Minimum standstill that counts, in ms: two frames at 25 frames/s. The audio clock advances while a
 * frame is shown, so that in smooth playback the playhead is never further behind.
 */
export const SHORTEST_STALL_MS = 80;

/** Tolerated lag of a moving playhead between two samples, in ms: half a frame at 25 frames/s. */
const JITTER_MS = 20;

/** Tolerated lead of the playhead over the wall clock between two samples, in ms; above: a seek. */
const LEAP_MS = 100;

/** All samples of the playhead, ordered by time. */
export function playheadOf({
  ticks,
  element,
}: Pick<WatchedSession, 'ticks' | 'element'>): Sample[] {
  const events = element
    // The time of a frame is its presentation time, but its playhead is sampled later.
    .filter(({ event }) => event !== 'frame')
    .map(({ atMs, mediaMs, event }) => {
      return { atMs, mediaMs, bufferedUntilMs: null, sought: event === 'seeking' };
    });
  return [{ atMs: 0, mediaMs: 0, bufferedUntilMs: null }, ...ticks, ...events].sort(
    (a, b) => a.atMs - b.atMs,
  );
}

/** Played time between two samples, in ms: jumps forward or back do not count. */
function played(from: Sample, to: Sample): number {
  const movedMs = to.mediaMs - from.mediaMs;
  return to.sought || movedMs < 0 || movedMs > to.atMs - from.atMs + LEAP_MS ? 0 : movedMs;
}

export function playedMs(samples: readonly Sample[]): number {
  return samples.slice(1).reduce((sum, to, index) => sum + played(samples[index] as Sample, to), 0);
}

/** Position in the video at a time, in ms: between two samples the playhead moves, then stands. */
export function positionAt(samples: readonly Sample[], atMs: number): number {
  const next = samples.findIndex((sample) => sample.atMs > atMs);
  const from = samples.at(next === -1 ? -1 : next - 1) as Sample;
  const to = next === -1 ? from : (samples[next] as Sample);
  return from.mediaMs + Math.min(atMs - from.atMs, played(from, to));
}

/** When the playhead first reached or passed a position; the last sample's time if it never did. */
export function reachedMs(samples: readonly Sample[], mediaMs: number): number {
  const next = samples.findIndex((sample) => sample.mediaMs >= mediaMs);
  const to = samples.at(next) as Sample;
  const from = samples[next - 1];
  return from ? Math.min(to.atMs, from.atMs + mediaMs - from.mediaMs) : to.atMs;
}

/** Standstills of any length, ordered by time; the first is the start-up. */
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

/** Whether the playhead stood for some time between a sample and the one before it. */
function stoodStill(samples: readonly Sample[], at: number): boolean {
  const [from, to] = [samples[at - 1] as Sample, samples[at] as Sample];
  const lostMs = to.atMs - from.atMs - played(from, to);
  // Two samples in quick succession are equal even if the playhead moves; they are too close to count.
  return lostMs > JITTER_MS || lostMs * 2 >= to.atMs - from.atMs;
}

/** Standstill between the sample before the first and the last one. */
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
