import { cumulativeCount } from '../limits/cumulative-count.ts';
import type { SenderSample } from '../limits/observed-transfer.ts';
import { THRESHOLDS } from '../limits/thresholds.ts';
import { Flight } from './flight.ts';
import { type InitialLimits, Windows } from './windows.ts';
import type { WireConnection, WireDatagram } from './wire-connection.ts';

/** Samples in a round trip: enough to see for which part of it a sender waited. */
const SAMPLES = 10;
/** Limits the number of samples over short paths. */
const LEAST_STEP_MS = 2;

/** A datagram at the time when the sender of the bodies sent or received it. */
interface SenderEvent {
  datagram: WireDatagram;
  isSent: boolean;
  atMs: number;
}

/**
 * State of a QUIC sender of bodies, from its packets on the path: with keys its bytes in flight and the room of its
 * windows, without keys what it sent in the latest round trip. null: the packets of its handshake are missing.
 */
export function wireSamples(
  connection: WireConnection,
  sends: 'client' | 'server',
  initial: InitialLimits | null,
): SenderSample[] | null {
  const roundTripMs = roundTripOf(connection);
  if (roundTripMs === null) return null;
  const events = senderEvents(connection, sends, roundTripMs);
  return connection.hasKeys && initial !== null
    ? samplesWithKeys(events, roundTripMs, initial)
    : samplesWithoutKeys(events, roundTripMs, initial);
}

/** Minimum time from a packet of the client to its acknowledgement, or from its first packet to the server's first. */
function roundTripOf({ firstRoundTripMs, datagrams }: WireConnection): number | null {
  const sentMs = new Map<number, number>();
  let leastMs = firstRoundTripMs;
  for (const { atMs, toServer, isLost, packet } of datagrams) {
    if (packet === null || isLost) continue;
    const { number, contents } = packet;
    if (toServer && contents.isAckEliciting) sentMs.set(number, atMs);
    const largest = toServer ? undefined : contents.acknowledged[0]?.[1];
    const acknowledgedMs = largest === undefined ? undefined : sentMs.get(largest);
    if (acknowledgedMs !== undefined)
      leastMs = Math.min(leastMs ?? Infinity, atMs - acknowledgedMs);
  }
  return leastMs;
}

/** Moves times from the client's end, where packets were captured, to the sender of the bodies. */
function senderEvents(
  { datagrams }: WireConnection,
  sends: 'client' | 'server',
  roundTripMs: number,
): SenderEvent[] {
  const oneWayMs = sends === 'server' ? roundTripMs / 2 : 0;
  return datagrams
    .map((datagram): SenderEvent => {
      const isSent = datagram.toServer === (sends === 'client');
      return { datagram, isSent, atMs: datagram.atMs + (isSent ? -oneWayMs : oneWayMs) };
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}

function samplesWithKeys(
  events: readonly SenderEvent[],
  roundTripMs: number,
  initial: InitialLimits,
): SenderSample[] {
  const windows = new Windows(initial);
  const flight = new Flight();
  const peak = new Peak(roundTripMs);
  let packetBytes = 0;
  return sampleEvents(events, roundTripMs, {
    take({ datagram: { packet, isLost, bytes }, isSent, atMs }) {
      if (packet === null) return;
      if (isSent) {
        if (packet.contents.isAckEliciting) flight.send(packet.number, bytes);
        packetBytes = Math.max(packetBytes, bytes);
        windows.send(packet.contents);
        peak.add(atMs, flight.bytes);
      } else if (!isLost) {
        flight.acknowledge(packet.contents.acknowledged);
        windows.raise(packet.contents);
      }
    },
    sample: (atMs) => ({
      inFlightBytes: flight.bytes,
      peakInFlightBytes: Math.max(flight.bytes, peak.at(atMs)),
      fullWindow: windows.full(packetBytes),
      lostPackets: flight.lostPackets,
    }),
  });
}

/**
 * Without keys acknowledgements are unknown: in flight is what was sent in the latest round trip. It is as much as in the
 * one before if a window of the receiver limits it, while a congestion window without losses grows.
 */
function samplesWithoutKeys(
  events: readonly SenderEvent[],
  roundTripMs: number,
  initial: InitialLimits | null,
): SenderSample[] {
  const points = runningSum(events);
  const sent = cumulativeCount(points);
  const inFlightBytes = (atMs: number) => sent.between(atMs - roundTripMs, atMs);
  const mostBytes = points.reduce((most, { atMs }) => Math.max(most, inFlightBytes(atMs)), 0);
  const isRaised = mostBytes > THRESHOLDS.raisedWindowShare * smallerWindow(initial);
  return sampleEvents(events, roundTripMs, {
    take() {},
    sample(atMs) {
      const [before, now] = [inFlightBytes(atMs - roundTripMs), inFlightBytes(atMs)];
      return {
        inFlightBytes: now,
        peakInFlightBytes: Math.max(before, now),
        fullWindow:
          !isRaised && now <= before * THRESHOLDS.steadyGrowth ? windowOf(initial, now) : null,
        lostPackets: 0,
      };
    },
  });
}

/** The smaller window, if the bytes in flight are as many as it lets through. */
function windowOf(
  initial: InitialLimits | null,
  inFlightBytes: number,
): SenderSample['fullWindow'] {
  if (initial === null) return null;
  const smallerBytes = smallerWindow(initial);
  if (inFlightBytes < THRESHOLDS.offeredFullShare * smallerBytes) return null;
  return initial.connectionBytes === smallerBytes ? 'receive window' : 'stream window';
}

/** Window of the connection or of all streams, in bytes; 0: unknown. */
function smallerWindow(initial: InitialLimits | null): number {
  if (initial === null) return 0;
  const { connectionBytes, streamBytes, streams } = initial;
  return Math.min(connectionBytes, streams * streamBytes);
}

function runningSum(events: readonly SenderEvent[]): { atMs: number; count: number }[] {
  let count = 0;
  return events
    .filter(({ isSent }) => isSent)
    .map(({ atMs, datagram }) => {
      count += datagram.bytes;
      return { atMs, count };
    });
}

type State = Pick<
  SenderSample,
  'inFlightBytes' | 'peakInFlightBytes' | 'fullWindow' | 'lostPackets'
>;

function sampleEvents(
  events: readonly SenderEvent[],
  roundTripMs: number,
  { take, sample }: { take(event: SenderEvent): void; sample(atMs: number): State },
): SenderSample[] {
  const stepMs = Math.max(LEAST_STEP_MS, roundTripMs / SAMPLES);
  const samples: SenderSample[] = [];
  let nextMs = (events[0]?.atMs ?? 0) + stepMs;
  for (const event of events) {
    for (; nextMs <= event.atMs; nextMs += stepMs) {
      samples.push({
        atMs: nextMs,
        cwndBytes: null,
        rttMs: roundTripMs,
        minRttMs: roundTripMs,
        notSentBytes: null,
        receiveWindowMs: null,
        ...sample(nextMs),
      });
    }
    take(event);
  }
  return samples;
}

/** Largest value within the latest time. */
class Peak {
  readonly #forMs: number;
  /** Descending. */
  #values: { atMs: number; value: number }[] = [];

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  add(atMs: number, value: number): void {
    while ((this.#values.at(-1)?.value ?? Infinity) <= value) this.#values.pop();
    this.#values.push({ atMs, value });
  }

  at(atMs: number): number {
    while ((this.#values[0]?.atMs ?? atMs) < atMs - this.#forMs) this.#values.shift();
    return this.#values[0]?.value ?? 0;
  }
}
