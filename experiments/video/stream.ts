import type { Observation } from '../../ground/records/observation.ts';
import type { PlayerRequest } from './records.ts';
import { type MediaKind, type WholeSegment, wholeSegments } from './segments.ts';

/** Complete segments of the picture, the sound or both. */
export interface Stream {
  bytes: number;
  /** First request. */
  askedMs: number;
  /** Last byte. */
  endMs: number;
  /** Time in which at least one was in flight, from its request to its last byte. */
  underWayMs: number;
  /** End of their content in the video. */
  contentMs: number;
  /** Ids, in the order requested. */
  representations: string[];
  /** Mean, weighted by duration. */
  bitrateKbps: number;
  /** Of the first segment, as are protocol and host. */
  mime: string | null;
  protocol: string | null;
  host: string;
  /** null: all segments used existing connections. */
  connectMs: number | null;
}

/** @returns null when no segment arrived completely */
export function streamOf(
  requests: readonly PlayerRequest[],
  ...kinds: readonly MediaKind[]
): Stream | null {
  const whole = wholeSegments(requests, ...kinds);
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

function underWayMs(pieces: readonly Pick<WholeSegment, 'askedMs' | 'endMs'>[]): number {
  let [busyMs, untilMs] = [0, 0];
  for (const { askedMs, endMs } of pieces.toSorted((a, b) => a.askedMs - b.askedMs)) {
    busyMs += Math.max(0, endMs - Math.max(askedMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return busyMs;
}

/** First connection to the host that was observed on the path; null: no connection. */
export function connectionOf({ connections }: Pick<Observation, 'connections'>, host: string) {
  const name = new URL(`https://${host}`).hostname;
  const found = connections?.opened.find((each) => each.host === name);
  if (!found) return null;
  const { address, quicVersion = null } = found;
  return { ip: address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'), quicVersion };
}
