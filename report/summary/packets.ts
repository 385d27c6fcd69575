import type { Observation } from '../../ground/records/observation.ts';
import {
  type AttemptPackets,
  LAYER_NAMES,
  type LayerBytes,
  type WireConnection,
  type WireDirection,
} from '../../ground/records/packets.ts';
import { mean } from '../../statistics/mean.ts';
import { median } from '../../statistics/median.ts';

/** Traffic of one arm under one condition, mean of its captured attempts. */
export interface WireSummary {
  arm: string;
  attempts: number;
  connections: number;
  toServer: WireDirection;
  toClient: WireDirection;
  /** Bytes of both directions, before the first request of each connection and from then on. */
  before: LayerBytes;
  after: LayerBytes;
  bytes: number;
  /** Unread bytes (`unread`) as a share of all bytes, in percent. */
  unreadPercent: number;
  /** Read bytes that are not HTTP bodies, as a share of all bytes, in percent; null: too many were not read. */
  overheadPercent: number | null;
  /** Least over all connections; null: not seen. */
  leastRoundTripMs: number | null;
  /** Medians over all connections; null: not seen. */
  maySendMs: number | null;
  completeMs: number | null;
  confirmedMs: number | null;
}

/** What connections agreed on, or how they ended, and how often. */
export interface WireCount {
  arm: string;
  text: string;
  count: number;
  isError: boolean;
}

export interface CapturedAttempt {
  attempt: Observation;
  capture: AttemptPackets;
}

/** Captures of measured ok attempts, or of warm-ups if there are no measured ones. */
export function capturedAttempts(
  attempts: readonly Observation[],
  captures: readonly AttemptPackets[],
): CapturedAttempt[] {
  const captureOf = new Map(captures.map((capture) => [capture.id, capture]));
  const found = attempts.flatMap((attempt) => {
    const capture = captureOf.get(attempt.id);
    return capture && attempt.outcome === 'ok' ? [{ attempt, capture }] : [];
  });
  const measured = found.filter(({ attempt }) => !attempt.warmup);
  return measured.length > 0 ? measured : found;
}

/** With more unread bytes, which may be bodies, the overhead (3 to 15 %) of stacks cannot be compared. */
const MOST_UNREAD_PERCENT = 1;

/** null: nothing was captured. */
export function wireSummary(arm: string, captured: readonly CapturedAttempt[]): WireSummary | null {
  const own = captured.filter(({ attempt }) => attempt.arm === arm).map(({ capture }) => capture);
  if (own.length === 0) return null;
  const connections = own.flatMap((capture) => capture.connections);
  const perAttempt = <Key extends string>(
    keys: readonly Key[],
    partOf: (connection: WireConnection) => Record<Key, number>,
  ) =>
    Object.fromEntries(
      keys.map((key) => [
        key,
        connections.reduce((sum, each) => sum + partOf(each)[key], 0) / own.length,
      ]),
    ) as Record<Key, number>;
  const before = perAttempt(LAYER_NAMES, ({ beforeRequest }) => beforeRequest);
  const after = perAttempt(LAYER_NAMES, ({ afterRequest }) => afterRequest);
  const bytes = mean(own.map((capture) => capture.bytes)) ?? 0;
  const percentOf = (part: number) => (bytes === 0 ? 0 : (100 * part) / bytes);
  const unreadPercent = percentOf(before.unread + after.unread);
  const instant = (key: 'maySendMs' | 'completeMs' | 'confirmedMs') =>
    median(connections.flatMap((each) => each[key] ?? []));
  const leasts = connections.flatMap(({ roundTripMs }) => roundTripMs?.least ?? []);
  return {
    arm,
    attempts: own.length,
    connections: connections.length / own.length,
    toServer: perAttempt(DIRECTION_KEYS, ({ toServer }) => toServer),
    toClient: perAttempt(DIRECTION_KEYS, ({ toClient }) => toClient),
    before,
    after,
    bytes,
    unreadPercent,
    overheadPercent:
      unreadPercent > MOST_UNREAD_PERCENT
        ? null
        : 100 - unreadPercent - percentOf(before.payload + after.payload),
    leastRoundTripMs: leasts.length === 0 ? null : Math.min(...leasts),
    maySendMs: instant('maySendMs'),
    completeMs: instant('completeMs'),
    confirmedMs: instant('confirmedMs'),
  };
}

const DIRECTION_KEYS = [
  'packets',
  'bytes',
  'lostPackets',
  'ackPackets',
  'retransmittedPackets',
  'retransmittedBytes',
  'handshakeBytes',
  'paddingBytes',
  'payloadBytes',
] as const satisfies readonly (keyof WireDirection)[];

export function agreements(captured: readonly CapturedAttempt[]): WireCount[] {
  return counts(captured, ({ transport, tlsVersion, cipher, group, protocol }) =>
    tlsVersion === null
      ? []
      : [
          {
            text: [transport.toUpperCase(), protocol, tlsVersion, cipher, group]
              .filter((part) => part !== null)
              .join(', '),
            isError: false,
          },
        ],
  );
}

export function endings(captured: readonly CapturedAttempt[]): WireCount[] {
  return counts(captured, ({ closes }) =>
    closes.length === 0
      ? [
          {
            text: 'none seen: still open when the capture ended, or gone without a word',
            isError: false,
          },
        ]
      : closes.map(({ by, layer, name, isError }) => ({
          text: `${by}, ${LAYERS_OF_CLOSES[layer]}: ${name}`,
          isError,
        })),
  );
}

const LAYERS_OF_CLOSES = {
  tls: 'TLS alert',
  quic: 'QUIC CONNECTION_CLOSE',
  application: 'HTTP',
  tcp: 'TCP',
} as const;

function counts(
  captured: readonly CapturedAttempt[],
  said: (connection: WireConnection) => Pick<WireCount, 'text' | 'isError'>[],
): WireCount[] {
  const found = new Map<string, WireCount>();
  for (const { attempt, capture } of captured) {
    for (const each of capture.connections.flatMap(said)) {
      const key = JSON.stringify([attempt.arm, each]);
      const known = found.get(key) ?? { arm: attempt.arm, ...each, count: 0 };
      known.count += 1;
      found.set(key, known);
    }
  }
  return [...found.values()].sort((a, b) => a.arm.localeCompare(b.arm) || b.count - a.count);
}
