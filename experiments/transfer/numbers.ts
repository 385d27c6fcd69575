import type { AskedTransfer, TransferMade } from '../../clients/transferrer.ts';
import type { DirectionCounts } from '../../records/network.ts';
import type { Watched } from './watched.ts';

/** The numbers of TRANSFER_METRICS of one transfer; null or absent: it has none. */
export function numbersOf(
  {
    made,
    machine,
    path,
    processor,
    steps,
  }: Pick<Watched, 'made' | 'machine' | 'path' | 'processor' | 'steps'>,
  asked: Pick<AskedTransfer, 'direction'>,
): Record<string, number | null> {
  const { clientCpuMs, serverCpuMs } = processor ?? machine;
  const isKnown = clientCpuMs !== null && serverCpuMs !== null && made.bodyBytes > 0;
  const { toServer, toClient } = path;
  return {
    ...timesOf(made, asked),
    clientCpuMs,
    serverCpuMs,
    ...(isKnown && { cpuNsPerByte: (1e6 * (clientCpuMs + serverCpuMs)) / made.bodyBytes }),
    contextSwitches: processor?.contextSwitches ?? null,
    packets: toServer.packets + toClient.packets,
    lostPackets: lostOf(toServer) + lostOf(toClient),
    retransmittedPackets: steps.sender?.at(-1)?.lostPackets ?? null,
  };
}

/** Of a transfer that came to no end, only what came before it. */
function timesOf(
  { connectMs, firstByteMs, lastByteMs, bodyBytes, firstPieceBytes, error }: TransferMade,
  { direction }: Pick<AskedTransfer, 'direction'>,
): Record<string, number | null> {
  if (error !== null) return { connectMs, firstByteMs };
  const first = direction === 'upload' ? 0 : firstPieceBytes;
  const forMs = lastByteMs === null || firstByteMs === null ? 0 : lastByteMs - firstByteMs;
  const goodputKbps = forMs > 0 && bodyBytes > first ? (8 * (bodyBytes - first)) / forMs : null;
  return { connectMs, firstByteMs, totalMs: lastByteMs, goodputKbps };
}

function lostOf({ lost, queueDrops }: DirectionCounts): number {
  return lost + queueDrops;
}
