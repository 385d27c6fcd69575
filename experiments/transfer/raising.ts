import type { AskedTransfer } from '../../clients/transferrer.ts';
import type { TcpSettings } from '../../network/path.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { Limit, LimitedBy } from '../../records/transfer.ts';
import { bytesText, decimalText } from '../../report/text/number.ts';

/** How a transfer is repeated with a limit out of its way. */
export interface Raised {
  /** A clause. */
  how: string;
  network?: Partial<AskedNetwork>;
  tcp?: Partial<TcpSettings>;
  asked?: Partial<AskedTransfer>;
  /** Both programs may use every core that the run may use. */
  allCores?: true;
}

/** What a limit is raised from. */
export interface Raisable {
  network: AskedNetwork;
  asked: AskedTransfer;
  limitedBy: LimitedBy;
  /** Whether both programs were held to some of the cores. */
  isPinned: boolean;
}

/** Windows are raised so many times: less than two of them would be within what one transfer differs from the next. */
const TIMES = 8;
/** More than any of these paths holds; the kernel takes no more. */
const MOST_SEGMENTS = 1000;

/**
 * How a limit is raised.
 * @returns a sentence where it cannot be
 */
export function raise(limit: Limit, raisable: Raisable): Raised | string {
  return RAISE[limit](raisable);
}

const SERVERS_WINDOW = "The window for an upload is the server's own and cannot be set.";

const RAISE: Readonly<Record<Limit, (raisable: Raisable) => Raised | string>> = {
  'round trips': ({ network: { rttMs } }) =>
    rttMs === 0
      ? 'No delay was added that could be left out.'
      : { how: `without the added ${rttMs} ms of round trip`, network: { rttMs: 0, jitterMs: 0 } },
  'congestion window': ({ asked: { protocol } }) =>
    protocol === 'h3'
      ? "QUIC's initial window is its program's own and cannot be set."
      : {
          how: `an initial window of ${MOST_SEGMENTS} segments`,
          tcp: { initcwnd: MOST_SEGMENTS },
        },
  'receive window': ({ asked, limitedBy: { observed } }) => {
    if (asked.protocol === 'h3' && asked.direction === 'upload') return SERVERS_WINDOW;
    const bytes = TIMES * (asked.connectionWindowBytes ?? observed.inFlightBytes ?? 0);
    return {
      how: `a window of ${bytesText(bytes)} for the connection`,
      ...(asked.protocol === 'h3'
        ? { asked: { connectionWindowBytes: bytes } }
        : { tcp: { receiveWindowBytes: bytes } }),
    };
  },
  'stream window': ({ asked, limitedBy: { observed } }) => {
    if (asked.direction === 'upload') return SERVERS_WINDOW;
    const streamWindowBytes = TIMES * (asked.streamWindowBytes ?? observed.inFlightBytes ?? 0);
    return {
      how: `a window of ${bytesText(streamWindowBytes)} for each stream`,
      asked: { streamWindowBytes },
    };
  },
  processor: ({ isPinned }) =>
    isPinned
      ? { how: 'every core for client and server', allCores: true }
      : 'Client and server have every core of this machine already.',
  link: ({ network: { downKbps, upKbps } }) => ({
    how: `a link of twice the rate (${rates(downKbps, upKbps)})`,
    network: { downKbps: downKbps && 2 * downKbps, upKbps: upKbps && 2 * upKbps },
  }),
  loss: () => ({ how: 'without loss', network: { lossPercent: 0, burstLoss: null } }),
};

function rates(downKbps: number | null, upKbps: number | null): string {
  const mbps = (kbps: number, way: string) => `${decimalText((2 * kbps) / 1000, 3)} Mbit/s ${way}`;
  return [
    ...(downKbps === null ? [] : [mbps(downKbps, 'down')]),
    ...(upKbps === null ? [] : [mbps(upKbps, 'up')]),
  ].join(', ');
}
