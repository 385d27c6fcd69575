import type { Observation } from '../../records/observation.ts';
import { counted, countText } from '../text/number.ts';

/**
 * In how many loads of a stack the kernel dropped datagrams at a full UDP socket, as a sentence; null: in none. Asked of
 * all measured loads: leaving out those that were not ok could leave out the very loads that it is about.
 */
export function fullSocketsSentence(
  label: string,
  measured: readonly Observation[],
): string | null {
  const drops = measured
    .map(({ machine }) => machine?.udpReceiveBufferErrors ?? 0)
    .filter((count) => count > 0);
  if (drops.length === 0) return null;
  const dropped = drops.reduce((sum, count) => sum + count, 0);
  return `In ${countText(drops.length)} of ${counted(measured.length, 'load')} of ${label} the kernel dropped datagrams at a full UDP socket (${countText(dropped)} in all). QUIC takes them for losses: raise net.core.rmem_max if npm run doctor finds it too low.`;
}
