import { LIMITS, type Limit, type LimitedBy } from '../records.ts';
import { becauseOf } from './because.ts';
import { type Holder, holderOf, Observations, type Span } from './holder.ts';
import type { ObservedTransfer } from './observed.ts';
import { THRESHOLDS } from './thresholds.ts';

/** How long each limit held a transfer up, in ms; `null` is the key of what cannot be told. */
type HeldMs = ReadonlyMap<Holder, number>;

/**
 * Tells what held a transfer up most, by dividing its time among the limits: until the first byte, and then while by while of a
 * round trip. experiments/transfer/README.md has the rules in words.
 */
export function limitedByOf(transfer: ObservedTransfer): LimitedBy {
  const observations = new Observations(transfer);
  const held = heldOf(observations);
  const limit = mostOf(held, transfer.lastByteMs);
  const observed = numbersOf(held, observations);
  return { limit, because: becauseOf(limit, observed), observed };
}

function heldOf(observations: Observations): HeldMs {
  const held = new Map<Holder, number>();
  const hold = (holder: Holder, forMs: number) => {
    if (forMs > 0) held.set(holder, (held.get(holder) ?? 0) + forMs);
  };
  for (const [holder, forMs] of setUpOf(observations)) hold(holder, forMs);
  const spans = spansOf(observations);
  const holders = spans.map((span) => holderOf(observations, span));
  for (const [index, { fromMs, toMs }] of spans.entries()) {
    hold(withLastWord(holders, index), toMs - fromMs);
  }
  return held;
}

/**
 * When the last bytes are on their way the sender has nothing to send any more, whatever held up those before. A body that comes within
 * a single round trip was only waited for.
 */
function withLastWord(holders: readonly Holder[], index: number): Holder {
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
function setUpOf(observations: Observations): [Holder, number][] {
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
function mostOf(held: HeldMs, totalMs: number): Limit | null {
  const [most, second] = [...held].sort(([, a], [, b]) => b - a);
  const [holder, forMs] = most ?? [null, 0];
  const aheadMs = forMs - (second?.[1] ?? 0);
  return forMs >= THRESHOLDS.tellingShare * totalMs && aheadMs >= THRESHOLDS.aheadShare * totalMs
    ? holder
    : null;
}

function numbersOf(held: HeldMs, observations: Observations): LimitedBy['observed'] {
  const { transfer, roundTripMs } = observations;
  const { firstByteMs, lastByteMs, sender } = transfer;
  const span = { fromMs: firstByteMs, toMs: lastByteMs };
  // A body that comes at once has no time of its own.
  const whole = { fromMs: 0, toMs: lastByteMs };
  const said = sender === null ? [] : observations.said(span);
  const percent = (share: number | null) => (share === null ? null : 100 * share);
  const heldPercent = (holder: Holder) => percent((held.get(holder) ?? 0) / lastByteMs);
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
    cwndBytes: median(said.map(({ cwndBytes }) => cwndBytes)),
    inFlightBytes: median(said.map(({ inFlightBytes }) => inFlightBytes)),
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
