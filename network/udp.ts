import type { UdpTreatment } from '../ground/records/network.ts';
import { framedBytes } from './queue.ts';

const LEAST_PACKETS = 10;
/** Duration of a burst at the rate: at least the length of a home router's queue. */
const BURST_MS = 100;

/**
 * Burst of UDP that a throttled direction passes after a pause: 100 ms at its rate, and at least ten of the longest
 * packets. 0: UDP has no rate of its own.
 */
export function burstBytes({ kbps }: UdpTreatment, longestPacketBytes: number): number {
  if (kbps === null) return 0;
  const leastBytes = LEAST_PACKETS * framedBytes(longestPacketBytes);
  return Math.max(Math.ceil((kbps / 8) * BURST_MS), leastBytes);
}

export function withoutUdpTreatment<Network extends { udp?: UdpTreatment }>({
  udp: _,
  ...rest
}: Network): Omit<Network, 'udp'> {
  return rest;
}

export function stopsUdp(udp: UdpTreatment | undefined): boolean {
  return udp !== undefined && udp.treatment !== 'throttled';
}
