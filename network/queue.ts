import { limitKbps, type PathDirection } from '../ground/records/network.ts';
import type { SeededCondition } from './conditions.ts';

/** Qdiscs count a packet with it. */
const ETHERNET_HEADER_BYTES = 14;
const LEAST_PACKETS = 10;
/** A home router's queue is not shorter because the server is near. */
const LEAST_RTT_MS = 40;
/** Without a rate nothing queues; packets on their way still have to be held somewhere. */
const UNLIMITED_BYTES = 64 * 1024 * 1024;

/** An IP packet as queues count it. */
export function framedBytes(packetBytes: number): number {
  return packetBytes + ETHERNET_HEADER_BYTES;
}

/**
 * How many bytes may wait in one direction before packets are dropped: the multiple that is asked for of what the path holds in one
 * round trip (its bandwidth-delay product), of a recorded link at its mean rate; where none is, once as much, and at least ten of the
 * longest packets.
 */
export function queueBytes(
  network: Pick<
    SeededCondition,
    'rttMs' | 'downKbps' | 'upKbps' | 'trace' | 'traceUp' | 'queueBdp'
  >,
  direction: PathDirection,
  longestPacketBytes: number,
): number {
  const { rttMs, queueBdp } = network;
  const rateKbps = limitKbps(network, direction);
  if (rateKbps === null) return UNLIMITED_BYTES;
  if (queueBdp !== undefined) return Math.ceil((queueBdp * rateKbps * rttMs) / 8);
  const bandwidthDelayBytes = (rateKbps * Math.max(rttMs, LEAST_RTT_MS)) / 8;
  const leastBytes = LEAST_PACKETS * framedBytes(longestPacketBytes);
  return Math.max(Math.ceil(bandwidthDelayBytes), leastBytes);
}
