import { LIMITS, type Limit, type LimitedBy } from '../records.ts';
import { limitReasonText } from './limit-reason.ts';
import {
  type LimitingFactor,
  limitingFactorOf,
  Observations,
  type Span,
} from './limiting-factor.ts';
import type { ObservedTransfer } from './observed-transfer.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Time for each limit, in ms; the key `null` has the time of unknown limits. */
type FactorMs = ReadonlyMap<LimitingFactor, number>;

/**
 * Finds the main limit of a transfer by dividing its time among the limits: until the first byte, then
 * in spans of a round trip. experiments/transfer/README.md explains the rules.
 */
export function limitedByOf(transfer: ObservedTransfer): LimitedBy {
  const observations = new Observations(transfer);
  const held = factorMsOf(observations);
  const { packets, lastByteMs } = transfer;
  const limit = mainLimit(held, lastByteMs);
  const observed = numbersOf(held, observations);
  const because = limitReasonText(limit, observed, packets);
  return { limit, because, ...(packets && { packets }), observed };
}

function factorMsOf(observations: Observations): FactorMs {
  const held = new Map<LimitingFactor, number>();
  const hold = (holder: LimitingFactor, forMs: number) => {
    if (forMs > 0) held.set(holder, (held.get(holder) ?? 0) + forMs);
  };
  for (const [holder, forMs] of setUpOf(observations)) hold(holder, forMs);
  const endMs = endOfBodyMs(observations);
  const spans = spansOf(observations, endMs);
  const holders = spans.map((span) => limitingFactorOf(observations, span));
  const ends = observations.transfer.packets === undefined ? ENDS : ENDS_OF_PACKETS;
  for (const [index, { fromMs, toMs }] of spans.entries()) {
    hold(limitingFactorAt(holders, index, ends), toMs - fromMs);
  }
  const { linkMs, occupiedMs, waitedMs } = divide(observations, {
    fromMs: endMs,
    toMs: observations.transfer.lastByteMs,
  });
  hold('link', linkMs);
  hold('processor', occupiedMs);
  hold('server', waitedMs);
  return held;
}

/** Least bytes of a step that carries a part of a body: acknowledgements have less. */
const LEAST_BODY_BYTES = 500;

/**
 * End of the body: of an upload when the server could have answered its last packet, if that is known; else the end of the transfer.
 */
function endOfBodyMs({ transfer, roundTripMs }: Observations): number {
  const { sends, link, firstByteMs, lastByteMs } = transfer;
  const last = link?.findLast(({ bytes }) => bytes >= LEAST_BODY_BYTES);
  if (sends === 'server' || last === undefined) return lastByteMs;
  const sentMs = Math.max(firstByteMs, last.atMs + last.forMs);
  return Math.min(lastByteMs, sentMs + roundTripMs);
}

/** Limits that a sender without more data seems to have; by packets alone, the rest of its data fills its window. */
const ENDS: ReadonlySet<LimitingFactor> = new Set<LimitingFactor>(['stream window']);
const ENDS_OF_PACKETS: ReadonlySet<LimitingFactor> = new Set<LimitingFactor>([
  null,
  'server',
  'congestion window',
  'receive window',
  'stream window',
]);

/**
 * In the last span the sender has no more data, so the limit before it applies. A body that arrives
 * within one round trip is limited by round trips.
 */
function limitingFactorAt(
  holders: readonly LimitingFactor[],
  index: number,
  ends: ReadonlySet<LimitingFactor>,
): LimitingFactor {
  const holder = holders[index] ?? null;
  if (index < holders.length - 1 || !ends.has(holder)) return holder;
  return index === 0 ? 'round trips' : (holders[index - 1] ?? null);
}

/** Most round trips of handshake and request: one each for TCP, TLS and HTTP, and a spare one. */
const MOST_ROUND_TRIPS = 4;

/**
 * Time until the first byte: a busy link, busy programs, the server's wait, and round trips. Time beyond the round trips
 * belongs to a loss, or is unknown.
 */
function setUpOf(observations: Observations): [LimitingFactor, number][] {
  const { transfer, roundTripMs } = observations;
  const span = { fromMs: 0, toMs: transfer.firstByteMs };
  const isLost = observations.lostUntil(span) > 0;
  const { linkMs, occupiedMs, waitedMs } = divide(observations, span);
  const serverMs = Math.min(waitedMs, serverWaitMs(observations, isLost));
  const restMs = waitedMs - serverMs;
  const roundTripsMs = Math.min(restMs, MOST_ROUND_TRIPS * roundTripMs);
  return [
    ['link', linkMs],
    ['processor', occupiedMs],
    ['server', serverMs],
    ['round trips', roundTripsMs],
    [isLost ? 'loss' : null, restMs - roundTripsMs],
  ];
}

/**
 * Time before the first byte that exceeds the one round trip of request and response after the handshake, if no packet was lost,
 * and at least what the server reports as its own; 0: unknown.
 */
function serverWaitMs(observations: Observations, isLost: boolean): number {
  const { transfer, roundTripMs } = observations;
  const { connectMs, firstByteMs, sends, serverMs } = transfer;
  if (sends === 'client') return 0;
  if (connectMs === null || isLost) return serverMs ?? 0;
  const { waitedMs } = divide(observations, { fromMs: connectMs, toMs: firstByteMs });
  return Math.max(serverMs ?? 0, waitedMs - roundTripMs);
}

/** Divides a span into time of a busy link, of busy programs, and of waiting. */
function divide(observations: Observations, span: Span) {
  const forMs = span.toMs - span.fromMs;
  const linkMs = (observations.linkBusy(span) ?? 0) * forMs;
  const share =
    (observations.occupied('client', span) ?? 0) + (observations.occupied('server', span) ?? 0);
  const occupiedMs = Math.min(forMs - linkMs, share * forMs);
  return { linkMs, occupiedMs, waitedMs: forMs - linkMs - occupiedMs };
}

/** Spans of a round trip, from the first byte to the end of the body. */
function spansOf({ transfer, roundTripMs }: Observations, endMs: number): Span[] {
  const { firstByteMs } = transfer;
  const wantedMs = Math.max(THRESHOLDS.leastWindowMs, roundTripMs);
  const forMs = endMs - firstByteMs;
  const count = Math.max(1, Math.round(forMs / wantedMs));
  const startOf = (index: number) => firstByteMs + (forMs * index) / count;
  return Array.from({ length: count }, (_, index) => ({
    fromMs: startOf(index),
    toMs: startOf(index + 1),
  }));
}

/** The limit with most of the time; null: no limit has enough of it, or enough more than the second. */
function mainLimit(held: FactorMs, totalMs: number): Limit | null {
  const [most, second] = [...held].sort(([, a], [, b]) => b - a);
  const [holder, forMs] = most ?? [null, 0];
  const aheadMs = forMs - (second?.[1] ?? 0);
  return forMs >= THRESHOLDS.decisiveShare * totalMs && aheadMs >= THRESHOLDS.aheadShare * totalMs
    ? holder
    : null;
}

function numbersOf(held: FactorMs, observations: Observations): LimitedBy['observed'] {
  const { transfer, roundTripMs } = observations;
  const { firstByteMs, lastByteMs, sender } = transfer;
  const span = { fromMs: firstByteMs, toMs: lastByteMs };
  // A body that arrives at once has no span of its own.
  const whole = { fromMs: 0, toMs: lastByteMs };
  const samples = sender === null ? [] : observations.samplesIn(span);
  const percent = (share: number | null) => (share === null ? null : 100 * share);
  const heldPercent = (holder: LimitingFactor) => percent((held.get(holder) ?? 0) / lastByteMs);
  return {
    ...Object.fromEntries(LIMITS.map((limit) => [`${nameOf(limit)}Percent`, heldPercent(limit)])),
    unknownPercent: heldPercent(null),
    totalMs: lastByteMs,
    firstByteMs,
    roundTripMs,
    linkBusyPercent: percent(observations.linkBusy(whole)),
    linkCpuPercent: percent(observations.linkOccupied),
    clientOccupiedPercent: percent(observations.occupied('client', whole)),
    serverOccupiedPercent: percent(observations.occupied('server', whole)),
    cwndBytes: median(samples.flatMap(({ cwndBytes }) => cwndBytes ?? [])),
    inFlightBytes: median(samples.map(({ inFlightBytes }) => inFlightBytes)),
    lostPackets: observations.lostUntil(span),
    queueDrops: observations.droppedUntil(span),
  };
}

/** `stream window` as a key: `streamWindow`. */
function nameOf(limit: Limit): string {
  return limit.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase());
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? null;
}
