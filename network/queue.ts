import type { NetworkCondition } from './conditions.ts';

/** Qdiscs count a packet with it. */
const ETHERNET_HEADER_BYTES = 14;
const LEAST_PACKETS = 10;
/** A home router's queue is not shorter because the server is near. */
const LEAST_RTT_MS = 40;
/** Without a rate nothing queues; packets on their way still have to be held somewhere. */
const UNLIMITED_BYTES = 64 * 1024 * 1024;

/**
 * How many bytes may wait in one direction before packets are dropped: what the path holds in one
 * round trip (its bandwidth-delay product), and at least ten of the longest packets.
 */
export function queueBytes(
  { rttMs, downKbps, upKbps }: Pick<NetworkCondition, 'rttMs' | 'downKbps' | 'upKbps'>,
  direction: 'toServer' | 'toClient',
  longestPacketBytes: number,
): number {
  const rateKbps = direction === 'toClient' ? downKbps : upKbps;
  if (rateKbps === null) return UNLIMITED_BYTES;
  const bandwidthDelayBytes = (rateKbps * Math.max(rttMs, LEAST_RTT_MS)) / 8;
  const leastBytes = LEAST_PACKETS * (longestPacketBytes + ETHERNET_HEADER_BYTES);
  return Math.max(Math.ceil(bandwidthDelayBytes), leastBytes);
}
