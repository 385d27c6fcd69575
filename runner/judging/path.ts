import type { Expected, Observed, Problem } from './judge.ts';

/** Packets that the path dropped or lost although the condition does not ask it to. */
export function pathDisturbed({ path }: Observed, { network }: Expected): Problem | null {
  const { toServer, toClient } = path;
  const lossAsked = network.lossPercent > 0 || network.burstLoss !== null;
  // A limited rate has a queue that may well run over; without one nothing may be dropped.
  const dropped =
    (network.upKbps === null ? toServer.queueDrops : 0) +
    (network.downKbps === null ? toClient.queueDrops : 0);
  const lost = lossAsked ? 0 : toServer.lost + toClient.lost;
  if (dropped + lost === 0) return null;
  return {
    code: 'path-disturbed',
    message: `The path dropped ${dropped} packets and lost ${lost} that nobody asked it to.`,
  };
}

/** Datagrams that arrived and were thrown away by the kernel: QUIC takes them for losses of the network. */
export function receiveBufferOverrun({ machine }: Observed): Problem | null {
  const dropped = machine?.udpReceiveBufferErrors ?? 0;
  if (dropped === 0) return null;
  return {
    code: 'receive-buffer-overrun',
    message: `The kernel dropped ${dropped} datagrams because a UDP socket's receive buffer was full, which QUIC takes for losses of the network. npm run doctor says whether the limit of such buffers is too small here; if not, the program that should have read them was too busy.`,
  };
}
