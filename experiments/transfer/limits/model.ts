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

/** How long each limit held a transfer up, in ms; `null` is the key of what cannot be told. */
type FactorMs = ReadonlyMap<LimitingFactor, number>;

/**
 * Tells what held a transfer up most, by dividing its time among the limits: until the first byte, and then while by while of a
 * round trip. experiments/transfer/README.md has the rules in words.
 */
export function limitedByOf(transfer: ObservedTransfer): LimitedBy {
  const observations = new Observations(transfer);
  const held = factorMsOf(observations);
  const limit = mainLimit(held, transfer.lastByteMs);
  const observed = numbersOf(held, observations);
  return { limit, because: limitReasonText(limit, observed), observed };
}

function factorMsOf(observations: Observations): FactorMs {
  const held = new Map<LimitingFactor, number>();
  const hold = (holder: LimitingFactor, forMs: number) => {
    if (forMs > 0) held.set(holder, (held.get(holder) ?? 0) + forMs);
  };
  for (const [holder, forMs] of setUpOf(observations)) hold(holder, forMs);
  const spans = spansOf(observations);
  const holders = spans.map((span) => limitingFactorOf(observations, span));
  for (const [index, { fromMs, toMs }] of spans.entries()) {
    hold(limitingFactorAt(holders, index), toMs - fromMs);
  }
  return held;
}

/**
 * When the last bytes are on their way the sender has nothing to send any more, whatever held up those before. A body that comes within
 * a single round trip was only waited for.
 */
function limitingFactorAt(holders: readonly LimitingFactor[], index: number): LimitingFactor {
  const holder = holders[index] ?? null;
  if (index < holders.length - 1 || holder !== 'stream window') return holder;
  return index === 0 ? 'round trips' : (holders[index - 1] ?? null);
}

/** Round trips of a handshake and a request that was answered at once: at most those of TCP, TLS and HTTP with one more to spare. */
const MOST_ROUND_TRIPS = 4;

/**
 * Until the first byte one waits for the other: for a link that is sending, for a program, or for the path. What is longer than its
 * round trips was waited for because of a loss, or nobody tells why.
 */
function setUpOf(observations: Observations): [LimitingFactor, number][] {
  const { transfer, roundTripMs } = observations;
  const span = { fromMs: 0, toMs: transfer.firstByteMs };
  const linkMs = (observations.linkBusy(span) ?? 0) * span.toMs;
  const share =
    (observations.occupied('client', span) ?? 0) + (observations.occupied('server', span) ?? 0);
  const occupiedMs = Math.min(span.toMs - linkMs, share * span.toMs);
  const waitedMs = span.toMs - linkMs - occupiedMs;
  const mostMs = roundTripMs === null ? waitedMs : MOST_ROUND_TRIPS * roundTripMs;
  const roundTripsMs = Math.min(waitedMs, mostMs);
  return [
    ['link', linkMs],
    ['processor', occupiedMs],
    ['round trips', roundTripsMs],
    [observations.lostUntil(span) > 0 ? 'loss' : null, waitedMs - roundTripsMs],
  ];
}

/** From the first byte to the last, in whiles of a round trip. */
function spansOf({ transfer, roundTripMs }: Observations): Span[] {
  const { firstByteMs, lastByteMs } = transfer;
  const wantedMs = Math.max(THRESHOLDS.leastWindowMs, roundTripMs ?? 0);
  const forMs = lastByteMs - firstByteMs;
  const count = Math.max(1, Math.round(forMs / wantedMs));
  const startOf = (index: number) => firstByteMs + (forMs * index) / count;
  return Array.from({ length: count }, (_, index) => ({
    fromMs: startOf(index),
    toMs: startOf(index + 1),
  }));
}

/** null: it is not clear. */
function mainLimit(held: FactorMs, totalMs: number): Limit | null {
  const [most, second] = [...held].sort(([, a], [, b]) => b - a);
  const [holder, forMs] = most ?? [null, 0];
  const aheadMs = forMs - (second?.[1] ?? 0);
  return forMs >= THRESHOLDS.tellingShare * totalMs && aheadMs >= THRESHOLDS.aheadShare * totalMs
    ? holder
    : null;
}

function numbersOf(held: FactorMs, observations: Observations): LimitedBy['observed'] {
  const { transfer, roundTripMs } = observations;
  const { firstByteMs, lastByteMs, sender } = transfer;
  const span = { fromMs: firstByteMs, toMs: lastByteMs };
  // A body that comes at once has no time of its own.
  const whole = { fromMs: 0, toMs: lastByteMs };
  const samples = sender === null ? [] : observations.samplesIn(span);
  const percent = (share: number | null) => (share === null ? null : 100 * share);
  const heldPercent = (holder: LimitingFactor) => percent((held.get(holder) ?? 0) / lastByteMs);
  return {
    ...Object.fromEntries(LIMITS.map((limit) => [`${nameOf(limit)}Percent`, heldPercent(limit)])),
    untoldPercent: heldPercent(null),
    totalMs: lastByteMs,
    firstByteMs,
    roundTripMs,
    linkBusyPercent: percent(observations.linkBusy(whole)),
    linkCpuPercent: percent(observations.linkOccupied),
    clientOccupiedPercent: percent(observations.occupied('client', whole)),
    serverOccupiedPercent: percent(observations.occupied('server', whole)),
    cwndBytes: median(samples.map(({ cwndBytes }) => cwndBytes)),
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
