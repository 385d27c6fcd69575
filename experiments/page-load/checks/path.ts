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
  if (dropped + lost === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped} packets and lost ${lost}, which the condition does not ask for.`,
  };
}
