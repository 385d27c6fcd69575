import type { Observation } from '../../ground/records/observation.ts';
import type { PlayerRequest } from './records.ts';
import { type MediaKind, type WholeSegment, wholeSegments } from './segments.ts';

/** Complete segments of the picture, the sound or both. */
export interface Stream {
  bytes: number;
  /** First request. */
  requestedMs: number;
  /** Last byte. */
  endMs: number;
  /** Time during which at least one segment was loading. */
  underWayMs: number;
  /** Where their last content ends, in video time. */
  contentMs: number;
  /** Ids, in the order requested. */
  representations: string[];
  /** Mean, weighted by duration. */
  bitrateKbps: number;
  /** Mime type, protocol and host of the first segment. */
  mime: string | null;
  protocol: string | null;
  host: string;
  /** Of the first segment that opened a connection; null: no segment did. */
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
    requestedMs: Math.min(...whole.map(({ requestedMs }) => requestedMs)),
    endMs: Math.max(...whole.map(({ endMs }) => endMs)),
    underWayMs: underWayMs(whole),
    contentMs: Math.max(...whole.map(({ fromMs, durationMs }) => fromMs + durationMs)),
    representations: [...new Set(whole.flatMap(({ representation }) => representation ?? []))],
    bitrateKbps: whole.reduce((sum, { kbps, durationMs }) => sum + kbps * durationMs, 0) / wholeMs,
    mime: first.mime,
    protocol: first.protocol,
    host: new URL(first.url).host,
    connectMs: whole.find(({ connectMs }) => connectMs !== null)?.connectMs ?? null,
  };
}

function underWayMs(pieces: readonly Pick<WholeSegment, 'requestedMs' | 'endMs'>[]): number {
  let [busyMs, untilMs] = [0, 0];
  for (const { requestedMs, endMs } of pieces.toSorted((a, b) => a.requestedMs - b.requestedMs)) {
    busyMs += Math.max(0, endMs - Math.max(requestedMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return busyMs;
}

/** First connection to the host in the path's packets; null: no connection. */
export function connectionOf({ connections }: Pick<Observation, 'connections'>, host: string) {
  const name = new URL(`https://${host}`).hostname;
  const found = connections?.opened.find((each) => each.host === name);
  if (!found) return null;
  const { address, quicVersion = null } = found;
  return { ip: address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'), quicVersion };
}
