import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import type { Limit } from '../../records.ts';
import { CLIENTS } from './transferring.ts';
import type { Special } from './watched-transfers.ts';

/** A transfer of which it is known what holds it up, because that alone was made scarce. */
export interface LimitedTransfer {
  /** What was made scarce. */
  limit: Limit;
  /** Absent: Bun. */
  client?: string;
  stack: string;
  bytes: number;
  special: Special;
}

const kB = 1000;
const MB = 1000 * kB;
/** So that TCP's own receive window, which begins small, does not hold up what something else is to hold up. */
const ENOUGH = { receiveWindowBytes: 8 * MB };

/** Three for each limit but the last, over mixed conditions and stacks; some have a second limit that is further away. */
export const LIMITED_TRANSFERS: readonly LimitedTransfer[] = [
  {
    limit: 'round trips',
    stack: 'lsquic-h3',
    bytes: 10 * kB,
    special: { network: { rttMs: 100 } },
  },
  {
    limit: 'round trips',
    stack: 'bun-h2',
    bytes: 10 * kB,
    special: { network: { rttMs: 50, downKbps: 20_000 } },
  },
  { limit: 'round trips', stack: HTTP1.stack, bytes: 30 * kB, special: { network: { rttMs: 80 } } },
  {
    limit: 'congestion window',
    stack: 'lsquic-h3',
    bytes: 2 * MB,
    special: { network: { rttMs: 200 } },
  },
  {
    limit: 'congestion window',
    stack: HTTP1.stack,
    bytes: 2 * MB,
    special: { ...ENOUGH, network: { rttMs: 200 } },
  },
  {
    limit: 'congestion window',
    stack: 'bun-h2',
    bytes: 3 * MB,
    special: { ...ENOUGH, network: { rttMs: 150, downKbps: 200_000 } },
  },
  {
    limit: 'receive window',
    stack: HTTP1.stack,
    bytes: 3 * MB,
    special: { receiveWindowBytes: 64 * kB, network: { rttMs: 40 } },
  },
  {
    limit: 'receive window',
    stack: 'lsquic-h3',
    bytes: 2 * MB,
    special: { receiveWindowBytes: 64 * kB, network: { rttMs: 40, downKbps: 50_000 } },
  },
  {
    limit: 'receive window',
    stack: 'bun-h2',
    bytes: 3 * MB,
    special: { receiveWindowBytes: 100 * kB, network: { rttMs: 30, lossPercent: 0 } },
  },
  {
    limit: 'stream window',
    stack: 'lsquic-h3',
    bytes: 2 * MB,
    special: { streamWindowBytes: 64 * kB, network: { rttMs: 40 } },
  },
  {
    limit: 'stream window',
    stack: 'bun-h2',
    bytes: 2 * MB,
    special: { ...ENOUGH, streamWindowBytes: 64 * kB, network: { rttMs: 40 } },
  },
  {
    limit: 'stream window',
    stack: 'bun-h2',
    bytes: 3 * MB,
    special: { ...ENOUGH, streamWindowBytes: 128 * kB, network: { rttMs: 60, downKbps: 100_000 } },
  },
  { limit: 'processor', stack: 'lsquic-h3', bytes: 100 * MB, special: {} },
  { limit: 'processor', stack: 'bun-h2', bytes: 100 * MB, special: ENOUGH },
  { limit: 'processor', stack: HTTP1.stack, bytes: 100 * MB, special: ENOUGH },
  {
    limit: 'link',
    stack: 'lsquic-h3',
    bytes: 2 * MB,
    special: { network: { rttMs: 20, downKbps: 10_000 } },
  },
  {
    limit: 'link',
    stack: 'bun-h2',
    bytes: 5 * MB,
    special: { network: { rttMs: 40, downKbps: 20_000 } },
  },
  {
    limit: 'link',
    stack: HTTP1.stack,
    bytes: 10 * MB,
    special: { network: { rttMs: 10, downKbps: 50_000 } },
  },
  {
    limit: 'loss',
    stack: 'lsquic-h3',
    bytes: 2 * MB,
    special: { seed: 4, network: { rttMs: 40, lossPercent: 2 } },
  },
  {
    limit: 'loss',
    stack: HTTP1.stack,
    bytes: 2 * MB,
    special: { ...ENOUGH, seed: 4, network: { rttMs: 60, lossPercent: 1 } },
  },
];

const OTHER_CLIENTS = CLIENTS.filter((name) => name !== 'bun');

/** By clients whose transport and pauses are others. */
export const LIMITED_OF_OTHERS: readonly LimitedTransfer[] = OTHER_CLIENTS.flatMap(
  (client): LimitedTransfer[] => [
    {
      limit: 'round trips',
      client,
      stack: 'lsquic-h3',
      bytes: 10 * kB,
      special: { network: { rttMs: 100 } },
    },
    {
      limit: 'link',
      client,
      stack: 'bun-h2',
      bytes: 2 * MB,
      special: { network: { rttMs: 20, downKbps: 10_000 } },
    },
    {
      limit: 'loss',
      client,
      stack: 'lsquic-h3',
      bytes: 2 * MB,
      special: { seed: 4, network: { rttMs: 40, lossPercent: 2 } },
    },
  ],
);
