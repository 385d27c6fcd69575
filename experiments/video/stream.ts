import type { Observation } from '../../ground/records/observation.ts';
import type { PlayerRequest } from './records.ts';
import { type MediaKind, type WholeSegment, wholeSegments } from './segments.ts';

/** What came of the picture, or of the sound, of a session: its segments that came whole. */
export interface Stream {
  bytes: number;
  /** When the first of them was asked for, and when the last of them was there. */
  askedMs: number;
  endMs: number;
  /** In which at least one of them was under way, from its asking to its last byte. */
  underWayMs: number;
  /** To where in the video they reach. */
  contentMs: number;
  /** Ids of its rungs, in the order of asking. */
  representations: string[];
  /** Mean rate of its rungs, by how much of the video came in each. */
  bitrateKbps: number;
  /** Of its first segment. */
  mime: string | null;
  protocol: string | null;
  host: string;
  /** null: its segments came over connections that were there. */
  connectMs: number | null;
}

/**
 * What came of a session's picture, its sound, or both together.
 * @returns null when no segment of them came
 */
export function streamOf(
  asked: readonly PlayerRequest[],
  ...kinds: readonly MediaKind[]
): Stream | null {
  const whole = wholeSegments(asked, ...kinds);
  const [first] = whole;
  if (first === undefined) return null;
  const wholeMs = whole.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    bytes: whole.reduce((sum, { bytes }) => sum + bytes, 0),
    askedMs: Math.min(...whole.map(({ askedMs }) => askedMs)),
    endMs: Math.max(...whole.map(({ endMs }) => endMs)),
    underWayMs: underWayMs(whole),
    contentMs: Math.max(...whole.map(({ fromMs, durationMs }) => fromMs + durationMs)),
    representations: [...new Set(whole.flatMap(({ rung }) => rung ?? []))],
    bitrateKbps: whole.reduce((sum, { kbps, durationMs }) => sum + kbps * durationMs, 0) / wholeMs,
    mime: first.mime,
    protocol: first.protocol,
    host: new URL(first.url).host,
    connectMs: whole.find(({ connectMs }) => connectMs !== null)?.connectMs ?? null,
  };
}

/** For how long at least one of them was under way. */
function underWayMs(pieces: readonly Pick<WholeSegment, 'askedMs' | 'endMs'>[]): number {
  let [busyMs, untilMs] = [0, 0];
  for (const { askedMs, endMs } of pieces.toSorted((a, b) => a.askedMs - b.askedMs)) {
    busyMs += Math.max(0, endMs - Math.max(askedMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return busyMs;
}

/** The connection to a stream's host, as the path saw it: the first one, where there are several; null: it saw none. */
export function connectionOf({ connections }: Pick<Observation, 'connections'>, host: string) {
  const name = new URL(`https://${host}`).hostname;
  const found = connections?.opened.find((each) => each.host === name);
  if (!found) return null;
  const { address, quicVersion = null } = found;
  return { ip: address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'), quicVersion };
}
