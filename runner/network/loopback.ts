import type { NetworkRecord } from '../../records/page-load.ts';

/** The only condition of this version: the machine's own loopback, nothing added and nothing measured. */
export const LOOPBACK_NETWORK = {
  rttMs: 0,
  downKbps: null,
  upKbps: null,
  lossPercent: 0,
} as const;

/** The network part of a load's record. */
export const LOOPBACK_RECORD: NetworkRecord = {
  ...LOOPBACK_NETWORK,
  backend: 'loopback',
  measuredRttMs: null,
};

/** An address of its own for the n-th host of a site (0, 1, ...), as a real site's hosts have. */
export function addressOfHost(index: number): string {
  if (index >= 250 * 250) throw new RangeError(`a site with more than ${250 * 250} hosts`);
  // 127.0.0.x is left to others on this machine.
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}
