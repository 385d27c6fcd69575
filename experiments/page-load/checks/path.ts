import { limitKbps } from '../../../records/network.ts';
import type { Expected, Observed, Problem } from './check.ts';

/** Packets that the path dropped or lost although the condition does not ask it to. */
export function pathDisturbed({ path }: Observed, { network }: Expected): Problem | null {
  const { toServer, toClient } = path;
  const lossAsked =
    network.lossPercent > 0 || network.burstLoss !== null || network.lostPacket !== undefined;
  // A limited rate has a queue that may well run over; without one nothing may be dropped.
  const dropped =
    (limitKbps(network, 'toServer') === null ? toServer.queueDrops : 0) +
    (limitKbps(network, 'toClient') === null ? toClient.queueDrops : 0);
  const lost = lossAsked ? 0 : toServer.lost + toClient.lost;
  const treated = network.udp ? 0 : (toServer.udpDropped ?? 0) + (toClient.udpDropped ?? 0);
  if (dropped + lost + treated === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped + treated} packets and lost ${lost}, which the condition does not ask for.`,
  };
}

/** A packet was to be lost whose number none came to. */
export function nothingLost({ path }: Observed, { network }: Expected): Problem | null {
  const { lostPacket } = network;
  const { lost, packets } = path.toClient;
  if (lostPacket === undefined || lost > 0) return null;
  return {
    code: 'nothing-lost',
    message: `Packet ${lostPacket} with data towards the client was to be lost, but there were fewer: ${packets} packets came, those without data among them. Choose a smaller number (--lose), or a larger page.`,
  };
}
