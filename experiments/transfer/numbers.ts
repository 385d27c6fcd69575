import type { TransferResult } from '../../clients/transfer-client.ts';
import type { DirectionCounts } from '../../ground/records/network.ts';
import { goodputKbps } from './goodput.ts';
import type { WatchedTransfer } from './watch-transfer.ts';

/**
 * Values of TRANSFER_METRICS; null or absent: unknown.
 * @param rttMs round-trip time added by the path
 */
export function numbersOf(
  {
    made,
    machine,
    path,
    processor,
    steps,
  }: Pick<WatchedTransfer, 'made' | 'machine' | 'path' | 'processor' | 'steps'>,
  rttMs: number,
): Record<string, number | null> {
  const { clientCpuMs, serverCpuMs } = processor ?? machine;
  const isKnown = clientCpuMs !== null && serverCpuMs !== null && made.bodyBytes > 0;
  const { toServer, toClient } = path;
  return {
    ...timesOf(made, rttMs),
    clientCpuMs,
    serverCpuMs,
    ...(isKnown && { cpuNsPerByte: (1e6 * (clientCpuMs + serverCpuMs)) / made.bodyBytes }),
    contextSwitches: processor?.contextSwitches ?? null,
    packets: toServer.packets + toClient.packets,
    lostPackets: lostPacketsOf(toServer) + lostPacketsOf(toClient),
    retransmittedPackets: steps.sender?.at(-1)?.lostPackets ?? null,
  };
}

/** Times of a transfer; of a failed one only those before the failure. */
function timesOf(made: TransferResult, rttMs: number): Record<string, number | null> {
  const { connectMs, firstByteMs, lastByteMs, error } = made;
  if (error !== null) return { connectMs, firstByteMs };
  const goodput = goodputKbps(made, rttMs);
  return { connectMs, firstByteMs, totalMs: lastByteMs, goodputKbps: goodput };
}

function lostPacketsOf({ lost, queueDrops, udpDropped = 0, cut = 0 }: DirectionCounts): number {
  return lost + queueDrops + udpDropped + cut;
}
