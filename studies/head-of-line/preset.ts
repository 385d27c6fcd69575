import type { RawOptions } from '../../ground/options/row.ts';

/**
 * Delays by lost packets: pages of many objects without losses, with one lost packet, and with 1 % random or burst loss. On the first
 * page the objects are most of the bytes; on the second the document continues while they arrive. Packet 60 belongs to about the third
 * flight of a connection with an initial window of ten packets, when many responses are in flight. The round trip is long relative to
 * the time that a machine needs for a page.
 */
export const HEAD_OF_LINE: RawOptions = {
  sites: 'objects-100x10kB,objects-20x1kB-in-100kB',
  stacks: 'lsquic-h3,bun-h2,flask-h1',
  baseline: 'bun-h2',
  rtt: '200',
  lose: 'none,60',
  network: 'random-loss,burst-loss',
  repetitions: '12',
  packets: 'median',
};
