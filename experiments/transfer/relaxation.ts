import type { TransferRequest } from '../../clients/transfer-client.ts';
import { whyWindowsAreFixed } from '../../clients/transfer-windows.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import { bytesText, decimalText } from '../../kit/text/number.ts';
import type { TcpSettings } from '../../network/path.ts';
import type { Limit, LimitedBy } from './records.ts';

/** How a transfer is repeated with a limit out of its way. */
export interface Relaxation {
  /** A clause. */
  description: string;
  network?: Partial<NetworkCondition>;
  tcp?: Partial<TcpSettings>;
  asked?: Partial<TransferRequest>;
  /** Both programs may use every core that the run may use. */
  allCores?: true;
}

/** What a limit is raised from. */
export interface RelaxableTransfer {
  /** Who transfers. */
  client: string;
  network: NetworkCondition;
  asked: TransferRequest;
  limitedBy: LimitedBy;
  /** Whether both programs were held to some of the cores. */
  isPinned: boolean;
}

/** Windows are raised so many times: less than two of them would be within what one transfer differs from the next. */
const WINDOW_FACTOR = 8;
/** More than any of these paths holds; the kernel takes no more. */
const MOST_SEGMENTS = 1000;

/**
 * How a limit is raised.
 * @returns a sentence where it cannot be
 */
export function relaxLimit(limit: Limit, transfer: RelaxableTransfer): Relaxation | string {
  return RELAX[limit](transfer);
}

const RELAX: Readonly<Record<Limit, (transfer: RelaxableTransfer) => Relaxation | string>> = {
  'round trips': ({ network: { rttMs } }) =>
    rttMs === 0
      ? 'No delay was added that could be left out.'
      : {
          description: `without the added ${rttMs} ms of round trip`,
          network: { rttMs: 0, jitterMs: 0 },
        },
  'congestion window': ({ asked: { protocol } }) =>
    protocol === 'h3'
      ? "QUIC's initial window is its program's own and cannot be set."
      : {
          description: `an initial window of ${MOST_SEGMENTS} segments`,
          tcp: { initcwnd: MOST_SEGMENTS },
        },
  'receive window': (transfer) =>
    transfer.asked.protocol === 'h3'
      ? relaxOwnWindow('connection', transfer)
      : relaxWindow(transfer.asked.connectionWindowBytes, transfer, (bytes) => ({
          description: `a window of ${bytesText(bytes)} for the connection`,
          tcp: { receiveWindowBytes: bytes },
        })),
  'stream window': (transfer) =>
    transfer.asked.protocol === 'http/1.1'
      ? 'HTTP/1.1 has no windows of streams.'
      : relaxOwnWindow('stream', transfer),
  processor: ({ isPinned }) =>
    isPinned
      ? { description: 'every core for client and server', allCores: true }
      : 'Client and server have every core of this machine already.',
  link: ({ network: { downKbps, upKbps, trace, traceUp } }) =>
    trace || traceUp
      ? 'What a recorded link lets through when is as it was recorded.'
      : {
          description: `a link of twice the rate (${rates(downKbps, upKbps)})`,
          network: { downKbps: downKbps && 2 * downKbps, upKbps: upKbps && 2 * upKbps },
        },
  loss: () => ({ description: 'without loss', network: { lossPercent: 0, burstLoss: null } }),
};

/** Raises a window that the client's own protocol has; of an upload it is the server's. */
function relaxOwnWindow(
  of: 'connection' | 'stream',
  transfer: RelaxableTransfer,
): Relaxation | string {
  const { client, asked } = transfer;
  if (asked.direction === 'upload') {
    return 'What limits an upload is the window of the server, which is its own.';
  }
  const why = whyWindowsAreFixed(client, asked.protocol);
  if (why !== null) return `It cannot be raised: ${why}.`;
  return of === 'connection'
    ? relaxWindow(asked.connectionWindowBytes, transfer, (connectionWindowBytes) => ({
        description: `a window of ${bytesText(connectionWindowBytes)} for the connection`,
        asked: { connectionWindowBytes },
      }))
    : relaxWindow(asked.streamWindowBytes, transfer, (streamWindowBytes) => ({
        description: `a window of ${bytesText(streamWindowBytes)} for each stream`,
        asked: { streamWindowBytes },
      }));
}

/** From what was asked for, or else from what was on its way, which is what the window let through. */
function relaxWindow(
  askedBytes: number | null,
  { limitedBy: { observed } }: RelaxableTransfer,
  relaxTo: (bytes: number) => Relaxation,
): Relaxation | string {
  const bytes = askedBytes ?? observed.inFlightBytes;
  return bytes ? relaxTo(WINDOW_FACTOR * bytes) : 'How large the window is is not known.';
}

function rates(downKbps: number | null, upKbps: number | null): string {
  const mbps = (kbps: number, way: string) => `${decimalText((2 * kbps) / 1000, 3)} Mbit/s ${way}`;
  return [
    ...(downKbps === null ? [] : [mbps(downKbps, 'down')]),
    ...(upKbps === null ? [] : [mbps(upKbps, 'up')]),
  ].join(', ');
}
