import type { TransferRequest } from '../../clients/transfer-client.ts';
import { whyWindowsAreFixed } from '../../clients/transfer-windows.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import { hasStreams, isOverQuic } from '../../ground/records/protocol.ts';
import { bytesText, decimalText } from '../../kit/text/number.ts';
import type { TcpSettings } from '../../network/path.ts';
import type { Limit, LimitedBy } from './records.ts';

/** Changes to a transfer that relax a limit. */
export interface Relaxation {
  description: string;
  network?: Partial<NetworkCondition>;
  tcp?: Partial<TcpSettings>;
  request?: Partial<TransferRequest>;
  /** Lets both programs use every core of the run. */
  allCores?: true;
}

export interface RelaxableTransfer {
  client: string;
  network: NetworkCondition;
  request: TransferRequest;
  limitedBy: LimitedBy;
  /** Whether both programs were pinned to cores. */
  isPinned: boolean;
  /** Whether the server was running before, with TCP and cores of its own. */
  isRunning: boolean;
}

/** Factor for windows; below 2, the effect would be within the variation between transfers. */
const WINDOW_FACTOR = 8;
/** Initial window that never limits: more segments than any path holds, and the kernel's maximum. */
const MOST_SEGMENTS = 1000;

/** @returns a sentence if the limit cannot be relaxed */
export function relaxLimit(limit: Limit, transfer: RelaxableTransfer): Relaxation | string {
  const relaxation = RELAX[limit](transfer);
  if (typeof relaxation === 'string' || !transfer.isRunning) return relaxation;
  const { tcp, allCores } = relaxation;
  // The receiver of a download is the client, whose TCP is the path's.
  const isServers = tcp?.initcwnd !== undefined || (tcp && transfer.request.direction === 'upload');
  return isServers || allCores ? 'A running server has TCP and cores of its own.' : relaxation;
}

const RELAX: Readonly<Record<Limit, (transfer: RelaxableTransfer) => Relaxation | string>> = {
  'round trips': ({ network: { rttMs } }) =>
    rttMs === 0
      ? 'No delay was added that could be removed.'
      : {
          description: `without the added ${rttMs} ms of round trip`,
          network: { rttMs: 0, jitterMs: 0 },
        },
  'congestion window': ({ request: { protocol } }) =>
    isOverQuic(protocol)
      ? "The program fixes QUIC's initial window."
      : {
          description: `an initial window of ${MOST_SEGMENTS} segments`,
          tcp: { initcwnd: MOST_SEGMENTS },
        },
  'receive window': (transfer) =>
    isOverQuic(transfer.request.protocol)
      ? relaxOwnWindow('connection', transfer)
      : relaxWindow(transfer.request.connectionWindowBytes, transfer, (bytes) => ({
          description: `a window of ${bytesText(bytes)} for the connection`,
          tcp: { receiveWindowBytes: bytes },
        })),
  'stream window': (transfer) =>
    hasStreams(transfer.request.protocol)
      ? relaxOwnWindow('stream', transfer)
      : 'HTTP/1.1 has no stream windows, nor has a socket of TCP.',
  processor: ({ isPinned }) =>
    isPinned
      ? { description: 'every core for client and server', allCores: true }
      : 'Client and server already have every core of this machine.',
  link: ({ network: { downKbps, upKbps, trace, traceUp } }) =>
    trace || traceUp
      ? 'A recorded link has a fixed rate.'
      : {
          description: `a link of twice the rate (${rates(downKbps, upKbps)})`,
          network: { downKbps: downKbps && 2 * downKbps, upKbps: upKbps && 2 * upKbps },
        },
  server: () => 'The wait of a server cannot be shortened from outside.',
  loss: () => ({ description: 'without loss', network: { lossPercent: 0, burstLoss: null } }),
};

/** Relaxes a window of the client's program; for an upload it is the server's. */
function relaxOwnWindow(
  of: 'connection' | 'stream',
  transfer: RelaxableTransfer,
): Relaxation | string {
  const { client, request } = transfer;
  if (request.direction === 'upload') {
    return 'The window of an upload belongs to the server and is fixed.';
  }
  const why = whyWindowsAreFixed(client, request.protocol);
  if (why !== null) return `It cannot be relaxed: ${why}.`;
  return of === 'connection'
    ? relaxWindow(request.connectionWindowBytes, transfer, (connectionWindowBytes) => ({
        description: `a window of ${bytesText(connectionWindowBytes)} for the connection`,
        request: { connectionWindowBytes },
      }))
    : relaxWindow(request.streamWindowBytes, transfer, (streamWindowBytes) => ({
        description: `a window of ${bytesText(streamWindowBytes)} for each stream`,
        request: { streamWindowBytes },
      }));
}

/** Starts from the requested window, else from the bytes in flight that the window allowed. */
function relaxWindow(
  requestedBytes: number | null,
  { limitedBy: { observed } }: RelaxableTransfer,
  relaxTo: (bytes: number) => Relaxation,
): Relaxation | string {
  const bytes = requestedBytes ?? observed.inFlightBytes;
  return bytes ? relaxTo(WINDOW_FACTOR * bytes) : 'The size of the window is unknown.';
}

function rates(downKbps: number | null, upKbps: number | null): string {
  const mbps = (kbps: number, way: string) => `${decimalText((2 * kbps) / 1000, 3)} Mbit/s ${way}`;
  return [
    ...(downKbps === null ? [] : [mbps(downKbps, 'down')]),
    ...(upKbps === null ? [] : [mbps(upKbps, 'up')]),
  ].join(', ');
}
