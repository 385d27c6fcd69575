import { limitKbps, type PathDirection } from '../ground/records/network.ts';
import type { SeededCondition } from './conditions.ts';

/** Included in a qdisc's count of a packet. */
const ETHERNET_HEADER_BYTES = 14;
const LEAST_PACKETS = 10;
/** Least round trip for the default queue: a home router's queue is not shorter for a near server. */
const LEAST_RTT_MS = 40;
/** Without a rate no queue builds up, but packets in flight need room. */
const UNLIMITED_BYTES = 64 * 1024 * 1024;

/** Size of an IP packet as queues count it. */
export function framedBytes(packetBytes: number): number {
  return packetBytes + ETHERNET_HEADER_BYTES;
}

/**
 * Size of one direction's queue: `queueBdp` times the bandwidth-delay product (of a recorded link at its mean rate);
 * default: once the product with at least 40 ms, and at least ten of the longest packets.
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
