import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import type { Limit } from '../../records.ts';
import { CLIENTS } from './transferring.ts';
import type { Special } from './watched-transfers.ts';

/** A transfer with a known limit, because only that resource was made scarce. */
export interface LimitedTransfer {
  /** The scarce resource. */
  limit: Limit;
  /** Absent: Bun. */
  client?: string;
  stack: string;
  bytes: number;
  special: Special;
}

type Case = [limit: Limit, stack: string, bytes: number, special: Special];

const limited = ([limit, stack, bytes, special]: Case): LimitedTransfer => ({
  limit,
  stack,
  bytes,
  special,
});

const kB = 1000;
const MB = 1000 * kB;
/**
 * Prevents TCP's own initially small receive window from being the limit in place of another one.
 */
const ENOUGH = { receiveWindowBytes: 8 * MB };

/** Three for each limit but the last, over mixed conditions and stacks; some have a second limit that is further away. */
const CASES: Case[] = [
  ['round trips', 'lsquic-h3', 10 * kB, { network: { rttMs: 100 } }],
  ['round trips', 'bun-h2', 10 * kB, { network: { rttMs: 50, downKbps: 20_000 } }],
  ['round trips', HTTP1.stack, 30 * kB, { network: { rttMs: 80 } }],
  ['congestion window', 'lsquic-h3', 2 * MB, { network: { rttMs: 200 } }],
  ['congestion window', HTTP1.stack, 2 * MB, { ...ENOUGH, network: { rttMs: 200 } }],
  [
    'congestion window',
    'bun-h2',
    3 * MB,
    { ...ENOUGH, network: { rttMs: 150, downKbps: 200_000 } },
  ],
  ['receive window', HTTP1.stack, 3 * MB, { receiveWindowBytes: 64 * kB, network: { rttMs: 40 } }],
  [
    'receive window',
    'lsquic-h3',
    2 * MB,
    { receiveWindowBytes: 64 * kB, network: { rttMs: 40, downKbps: 50_000 } },
  ],
  [
    'receive window',
    'bun-h2',
    3 * MB,
    { receiveWindowBytes: 100 * kB, network: { rttMs: 30, lossPercent: 0 } },
  ],
  ['stream window', 'lsquic-h3', 2 * MB, { streamWindowBytes: 64 * kB, network: { rttMs: 40 } }],
  [
    'stream window',
    'bun-h2',
    2 * MB,
    { ...ENOUGH, streamWindowBytes: 64 * kB, network: { rttMs: 40 } },
  ],
  [
    'stream window',
    'bun-h2',
    3 * MB,
    { ...ENOUGH, streamWindowBytes: 128 * kB, network: { rttMs: 60, downKbps: 100_000 } },
  ],
  ['processor', 'lsquic-h3', 100 * MB, {}],
  ['processor', 'bun-h2', 100 * MB, ENOUGH],
  ['processor', HTTP1.stack, 100 * MB, ENOUGH],
  ['link', 'lsquic-h3', 2 * MB, { network: { rttMs: 20, downKbps: 10_000 } }],
  ['link', 'bun-h2', 5 * MB, { network: { rttMs: 40, downKbps: 20_000 } }],
  ['link', HTTP1.stack, 10 * MB, { network: { rttMs: 10, downKbps: 50_000 } }],
  ['server', 'lsquic-h3', 10 * kB, { waitMs: 300, network: { rttMs: 30 } }],
  ['server', 'bun-h2', 10 * kB, { waitMs: 1000, network: { rttMs: 100 } }],
  ['server', 'bun-h2', 10 * kB, { waitMs: 100 }],
  ['loss', 'lsquic-h3', 2 * MB, { seed: 4, network: { rttMs: 40, lossPercent: 2 } }],
  ['loss', HTTP1.stack, 2 * MB, { ...ENOUGH, seed: 4, network: { rttMs: 60, lossPercent: 1 } }],
];

export const LIMITED_TRANSFERS = CASES.map(limited);

/** Windows that never limit a QUIC transfer, so that another resource does. */
const QUIC_ENOUGH = { receiveWindowBytes: 16 * MB, streamWindowBytes: 16 * MB };

type QuicCase = [limit: Limit, bytes: number, special: Special];

/** The same twenty for every QUIC stack; windows that do not limit are large. */
const QUIC_CASES: QuicCase[] = [
  ['round trips', 10 * kB, { network: { rttMs: 100 } }],
  ['round trips', 10 * kB, { network: { rttMs: 50, downKbps: 20_000 } }],
  ['round trips', 30 * kB, { network: { rttMs: 80 } }],
  ['congestion window', 2 * MB, { network: { rttMs: 200 } }],
  ['congestion window', 3 * MB, { network: { rttMs: 150, downKbps: 200_000 } }],
  ['congestion window', 1 * MB, { network: { rttMs: 100 } }],
  ['receive window', 2 * MB, { receiveWindowBytes: 64 * kB, network: { rttMs: 40 } }],
  [
    'receive window',
    3 * MB,
    { receiveWindowBytes: 100 * kB, network: { rttMs: 30, downKbps: 50_000 } },
  ],
  ['receive window', 2 * MB, { receiveWindowBytes: 128 * kB, network: { rttMs: 80 } }],
  ['stream window', 2 * MB, { streamWindowBytes: 64 * kB, network: { rttMs: 40 } }],
  [
    'stream window',
    3 * MB,
    { streamWindowBytes: 128 * kB, network: { rttMs: 60, downKbps: 100_000 } },
  ],
  ['stream window', 1 * MB, { streamWindowBytes: 64 * kB, network: { rttMs: 20 } }],
  ['processor', 100 * MB, {}],
  ['processor', 20 * MB, { sharesCore: true }],
  ['link', 2 * MB, { network: { rttMs: 20, downKbps: 10_000 } }],
  ['link', 5 * MB, { network: { rttMs: 40, downKbps: 20_000 } }],
  ['server', 10 * kB, { waitMs: 300, network: { rttMs: 30 } }],
  ['server', 10 * kB, { waitMs: 1000, network: { rttMs: 100 } }],
  ['loss', 2 * MB, { seed: 4, network: { rttMs: 40, lossPercent: 2 } }],
  ['loss', 2 * MB, { seed: 4, network: { rttMs: 60, lossPercent: 1 } }],
];

/** Stacks over QUIC with different senders. */
export const QUIC_STACKS = ['lsquic-h3', 'quic-go-h3', 'caddy-h3', 'envoy-h3', 'hypercorn-h3'];

/** QUIC in Python sends some MB a second, so that fewer bytes keep its processor busy as long. */
const FEWER_BYTES: Readonly<Record<string, number>> = { 'hypercorn-h3': 10 };
/** Envoy waits milliseconds for each 100 kB of its origin, while every processor is idle. */
const IDLES_AT_FULL_SPEED: ReadonlySet<string> = new Set(['envoy-h3']);

export function limitedQuicTransfers(stack: string): LimitedTransfer[] {
  return QUIC_CASES.map(([limit, bytes, special]) => {
    const windows = { ...QUIC_ENOUGH, ...special };
    if (limit !== 'processor') return limited([limit, stack, bytes, windows]);
    const isReplaced = IDLES_AT_FULL_SPEED.has(stack) && !special.sharesCore;
    return isReplaced
      ? limited([limit, stack, 10 * MB, { ...windows, sharesCore: true }])
      : limited([limit, stack, bytes / (FEWER_BYTES[stack] ?? 1), windows]);
  });
}

const OTHER_CLIENTS = CLIENTS.filter((name) => name !== 'bun');

const CASES_OF_OTHER_CLIENTS: Case[] = [
  ['round trips', 'lsquic-h3', 10 * kB, { network: { rttMs: 100 } }],
  ['link', 'bun-h2', 2 * MB, { network: { rttMs: 20, downKbps: 10_000 } }],
  ['loss', 'lsquic-h3', 2 * MB, { seed: 4, network: { rttMs: 40, lossPercent: 2 } }],
];

/** By clients with different transports and pauses. */
export const LIMITED_FOR_OTHER_CLIENTS = OTHER_CLIENTS.flatMap((client) =>
  CASES_OF_OTHER_CLIENTS.map((each) => ({ ...limited(each), client })),
);
