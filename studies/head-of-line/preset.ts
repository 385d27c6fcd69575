import type { RawOptions } from '../../ground/options/row.ts';

/**
 * What a lost packet holds up: pages of many objects, whole, with one packet lost, and with one packet in a hundred lost by itself or in
 * bursts. On the first page the objects are the bulk; on the second the document goes on while they come. Packet 60 is one of the
 * third flight or so of a connection whose first window has ten packets, when many responses are under way. The round trip is long beside what
 * a machine takes for a page by itself.
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
