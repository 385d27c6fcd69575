import type { Protocol } from '../../ground/records/protocol.ts';
import type {
  SocketDetails,
  SocketEvent,
  SocketEventName,
} from '../../ground/records/socket-events.ts';
import { median } from '../../statistics/median.ts';

type BothEnds = Pick<SocketDetails, 'client' | 'server'>;

/** A value for each part of an exchange, by default its duration in ms; null: not reached, or unknown. */
export interface Durations {
  handshakeMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
  closeMs: number | null;
  totalMs: number | null;
  reuseFirstByteMs: number | null;
  reuseTransferMs: number | null;
}

/** Consecutive parts of an exchange; messages after the first are between transfer and close. */
export function durationsOf(protocol: Protocol, { client, server }: BothEnds): Durations {
  const serverEvents = server ?? [];
  const askedMs = timeOf(client, 'asked');
  const maySendMs = timeOf(client, protocol === 'tcp' ? 'session' : 'secure');
  const arrivedMs = timeOf(serverEvents, 'data', 1);
  const backMs = timeOf(client, 'messageEnd', 1);
  const closedMs = later(timeOf(client, 'socketClose'), timeOf(serverEvents, 'socketClose'));
  const reused = client.flatMap(({ event, message }) =>
    event === 'sent' && message !== null && message > 1 ? [message] : [],
  );
  const ofReused = (from: (message: number) => number | null, to: typeof from) =>
    median(reused.flatMap((message) => between(from(message), to(message)) ?? []));
  const arrived = (message: number) => timeOf(serverEvents, 'data', message);
  return {
    handshakeMs: between(askedMs, maySendMs),
    firstByteMs: between(maySendMs, arrivedMs),
    transferMs: between(arrivedMs, backMs),
    closeMs: between(timeOf(client, 'closing'), closedMs),
    totalMs: between(askedMs, closedMs),
    reuseFirstByteMs: ofReused((message) => timeOf(client, 'sent', message), arrived),
    reuseTransferMs: ofReused(arrived, (message) => timeOf(client, 'messageEnd', message)),
  };
}

/** Time of an event; null: it did not happen, or not for this message. */
export function timeOf(
  events: readonly SocketEvent[],
  event: SocketEventName,
  message: number | null = null,
): number | null {
  return events.find((each) => each.event === event && each.message === message)?.atMs ?? null;
}

function between(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : toMs - fromMs;
}

function later(aMs: number | null, bMs: number | null): number | null {
  return aMs === null || bMs === null ? null : Math.max(aMs, bMs);
}
