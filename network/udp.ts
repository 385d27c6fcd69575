import type { UdpTreatment } from '../ground/records/network.ts';
import { framedBytes } from './queue.ts';

const LEAST_PACKETS = 10;
/** As long as the queue of a home router holds, or longer. */
const BURST_MS = 100;

/**
 * How many bytes of UDP a throttled direction lets through at once after a pause: what its rate is in 100 ms, and at least ten of
 * the longest packets. 0: it has no rate of its own.
 */
export function burstBytes({ kbps }: UdpTreatment, longestPacketBytes: number): number {
  if (kbps === null) return 0;
  const leastBytes = LEAST_PACKETS * framedBytes(longestPacketBytes);
  return Math.max(Math.ceil((kbps / 8) * BURST_MS), leastBytes);
}

/** The same network, where UDP is treated as all else. */
export function withoutUdpTreatment<Network extends { udp?: UdpTreatment }>({
  udp: _,
  ...others
}: Network): Omit<Network, 'udp'> {
  return others;
}

export function stopsUdp(udp: UdpTreatment | undefined): boolean {
  return udp !== undefined && udp.treatment !== 'throttled';
}
