import type { Protocol } from '../../ground/records/protocol.ts';
import type {
  SocketDetails,
  SocketEvent,
  SocketEventName,
} from '../../ground/records/socket-events.ts';
import { median } from '../../statistics/median.ts';

/** What happened at both ends, on one axis. */
type BothEnds = Pick<SocketDetails, 'client' | 'server'>;

/** A number for each part of an exchange: its length in ms, unless said otherwise; null: it never came to that, or is not known. */
export interface Durations {
  handshakeMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
  closeMs: number | null;
  totalMs: number | null;
  reuseFirstByteMs: number | null;
  reuseTransferMs: number | null;
}

/** The parts of an exchange, each of which begins where the one before ends; messages after the first come between the last two. */
export function durationsOf(protocol: Protocol, { client, server }: BothEnds): Durations {
  const told = server ?? [];
  const askedMs = timeOf(client, 'asked');
  const maySendMs = timeOf(client, protocol === 'tcp' ? 'session' : 'secure');
  const arrivedMs = timeOf(told, 'data', 1);
  const backMs = timeOf(client, 'messageEnd', 1);
  const closedMs = later(timeOf(client, 'socketClose'), timeOf(told, 'socketClose'));
  const reused = client.flatMap(({ event, message }) =>
    event === 'sent' && message !== null && message > 1 ? [message] : [],
  );
  const ofReused = (from: (message: number) => number | null, to: typeof from) =>
    median(reused.flatMap((message) => between(from(message), to(message)) ?? []));
  const arrived = (message: number) => timeOf(told, 'data', message);
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

/** When an event was; null: it was not, or of no such message. */
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
