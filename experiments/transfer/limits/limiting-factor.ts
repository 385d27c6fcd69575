import type { Limit } from '../records.ts';
import { accumulate, type CumulativeCount, cumulativeCount } from './cumulative-count.ts';
import type { ObservedTransfer, SenderSample } from './observed-transfer.ts';
import { THRESHOLDS } from './thresholds.ts';

/** What limited a transfer during a span; null: unknown. */
export type LimitingFactor = Limit | null;

/** A time span at the receiver of the bodies, in ms since the request for the transfer. */
export interface Span {
  fromMs: number;
  toMs: number;
}

export class Observations {
  readonly transfer: ObservedTransfer;
  /** Minimum round-trip time at the sender, or the path's where the sender reports nothing. */
  readonly roundTripMs: number;
  /** One-way delay from the sender to the times of a span; 0 for uploads, whose spans have the sender's clock. */
  readonly #onItsWayMs: number;
  readonly #busy: CumulativeCount | null;
  readonly #lost: CumulativeCount | null;
  readonly #dropped: CumulativeCount | null;
  readonly #resent: CumulativeCount;
  readonly #receiveWindow: CumulativeCount | null;
  readonly #occupied: Record<'client' | 'server', CumulativeCount> | null;

  constructor(transfer: ObservedTransfer) {
    this.transfer = transfer;
    const { sender, link, occupation, sends, pathRttMs } = transfer;
    const leasts = sender?.flatMap(({ minRttMs }) => minRttMs ?? []) ?? [];
    this.roundTripMs = leasts.length > 0 ? Math.min(...leasts) : pathRttMs;
    this.#onItsWayMs = sends === 'server' ? this.roundTripMs / 2 : 0;
    this.#busy = link && accumulate(link, ({ busyMs }) => busyMs);
    this.#lost = link && accumulate(link, ({ lost }) => lost);
    this.#dropped = link && accumulate(link, ({ queueDrops }) => queueDrops);
    this.#resent = senderCount(sender, ({ lostPackets }) => lostPackets);
    const hasReceiveWindow = sender?.some(({ receiveWindowMs }) => receiveWindowMs !== null);
    this.#receiveWindow = hasReceiveWindow
      ? senderCount(sender, ({ receiveWindowMs }) => receiveWindowMs ?? 0)
      : null;
    this.#occupied = occupation && {
      client: accumulate(occupation, ({ client }) => client.busiestMs),
      server: accumulate(occupation, ({ server }) => server.busiestMs),
    };
  }

  /** Share of the transfer's time in which the program that carries the packets had a core; null: no such program. */
  get linkOccupied(): number | null {
    const { linkCpuMs, lastByteMs } = this.transfer;
    return linkCpuMs === null ? null : linkCpuMs / lastByteMs;
  }

  /** Whether a transfer waits for programs rather than for the path. */
  get isShortPath(): boolean {
    const { packets, occupation, pathRttMs } = this.transfer;
    // Round trips from packets include waits for a core. A server on another machine (no occupation) adds to the path.
    const isHere = packets !== undefined && occupation !== null;
    const leastMs = isHere ? Math.min(this.roundTripMs, pathRttMs) : this.roundTripMs;
    return leastMs < THRESHOLDS.leastRoundTripMs;
  }

  /** Share of the time in which the link was sending; null: unknown. */
  linkBusy(span: Span): number | null {
    return this.#busy && shareOf(this.#busy, this.#atSender(span));
  }

  /** Share of the time in which the busiest thread of an end had a core or waited for one; null: unknown. */
  occupied(end: 'client' | 'server', span: Span): number | null {
    if (this.#occupied === null) return null;
    const isSender = end === this.transfer.sends;
    return shareOf(this.#occupied[end], isSender ? this.#atSender(span) : span);
  }

  /** Share of the time in which the receive window of the connection limited the kernel; null: the kernel does not send. */
  receiveWindow(span: Span): number | null {
    return this.#receiveWindow && shareOf(this.#receiveWindow, this.#atSender(span));
  }

  /** Packets lost until the end of a span, without drops of a full queue; all retransmissions if the link reports nothing. */
  lostUntil({ toMs }: Span): number {
    const atMs = toMs - this.#onItsWayMs;
    return this.#lost === null ? this.#resent.at(atMs) : this.#lost.at(atMs);
  }

  droppedUntil({ toMs }: Span): number {
    return this.#dropped?.at(toMs - this.#onItsWayMs) ?? 0;
  }

  /** Samples of the sender's transport in a span, or the last one before it. */
  samplesIn(span: Span): SenderSample[] {
    const { fromMs, toMs } = this.#atSender(span);
    const { sender } = this.transfer;
    const within = sender?.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) ?? [];
    const before = sender?.findLast(({ atMs }) => atMs < fromMs);
    return within.length > 0 || before === undefined ? within : [before];
  }

  #atSender({ fromMs, toMs }: Span): Span {
    return { fromMs: fromMs - this.#onItsWayMs, toMs: toMs - this.#onItsWayMs };
  }
}

function senderCount(
  sender: ObservedTransfer['sender'],
  countOf: (sample: SenderSample) => number,
): CumulativeCount {
  return cumulativeCount(
    sender?.map((sample) => ({ atMs: sample.atMs, count: countOf(sample) })) ?? [],
  );
}

function shareOf(count: CumulativeCount, { fromMs, toMs }: Span): number {
  return toMs > fromMs ? count.between(fromMs, toMs) / (toMs - fromMs) : 0;
}

export function limitingFactorOf(observations: Observations, span: Span): LimitingFactor {
  if ((observations.linkBusy(span) ?? 0) >= THRESHOLDS.linkBusyShare) return 'link';
  const client = observations.occupied('client', span) ?? 0;
  const server = observations.occupied('server', span) ?? 0;
  const carrier = observations.linkOccupied ?? 0;
  if (Math.max(client, server, carrier) >= THRESHOLDS.occupiedShare) return 'processor';
  if ((observations.receiveWindow(span) ?? 0) >= THRESHOLDS.receiveWindowShare) {
    return 'receive window';
  }
  const samples = observations.samplesIn(span);
  if (samples.length === 0) return null;
  const isFull = samples.filter(isWindowFull).length >= 0.5 * samples.length;
  const isLost = observations.lostUntil(span) > 0;
  const programs = client + server + carrier >= THRESHOLDS.occupiedShare ? 'processor' : null;
  if (observations.transfer.packets !== undefined) {
    const window = fullWindowOf(samples);
    if (window !== null) return window;
    // Over a short path packets also stay in flight while they wait for a program.
    if (observations.isShortPath) return programs ?? idleServer(observations, samples);
    if (isFull) return isLost ? 'loss' : 'congestion window';
    return isLost ? 'loss' : idleServer(observations, samples);
  }
  if (isFull) return isLost ? 'loss' : 'congestion window';
  return observations.isShortPath ? programs : offeredWindow(observations, samples);
}

/** The server if it had nothing in flight although no window was full; null: unknown, or an upload. */
function idleServer(
  { transfer: { sends } }: Observations,
  samples: readonly SenderSample[],
): LimitingFactor {
  const idle = samples.filter(({ inFlightBytes }) => inFlightBytes === 0).length;
  return sends === 'server' && idle >= 0.5 * samples.length ? 'server' : null;
}

/** The window of the receiver that was full in enough samples; null: neither. */
function fullWindowOf(samples: readonly SenderSample[]): LimitingFactor {
  const full = samples.flatMap(({ fullWindow }) => fullWindow ?? []);
  if (full.length < THRESHOLDS.windowFullTime * samples.length) return null;
  return 2 * full.filter((each) => each === 'receive window').length >= full.length
    ? 'receive window'
    : 'stream window';
}

/** Whether the congestion window limits the sender: it is full, or the kernel has more to send. */
function isWindowFull(sample: SenderSample): boolean {
  const { inFlightBytes, cwndBytes, peakInFlightBytes = 0, notSentBytes } = sample;
  const windowBytes = cwndBytes ?? Math.max(1, peakInFlightBytes);
  return inFlightBytes >= THRESHOLDS.windowFullShare * windowBytes || (notSentBytes ?? 0) > 0;
}

/** The receive window if it is full, else the stream window, which stands for a sender without data too. */
function offeredWindow(
  { transfer: { offered } }: Observations,
  samples: readonly SenderSample[],
): LimitingFactor {
  const { streamsBytes = null, connectionBytes = null } = offered ?? {};
  const inFlightBytes = Math.max(...samples.map((sample) => sample.inFlightBytes));
  const isConnection =
    connectionBytes !== null &&
    inFlightBytes >= THRESHOLDS.offeredFullShare * connectionBytes &&
    (streamsBytes === null || connectionBytes < streamsBytes);
  return isConnection ? 'receive window' : 'stream window';
}
