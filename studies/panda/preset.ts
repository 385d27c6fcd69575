import type { RawOptions } from '../../ground/options/row.ts';

/** A video by QUIC and over TCP with the kernel's receive buffer, as in Panda's study of 2019, at round-trip times of some tens of ms, in files that its programs would have written. */
export const PANDA: RawOptions = {
  stacks: 'lsquic-h3,bun-h2',
  rtt: '50,100',
  'receive-buffer': 'stock',
  duration: '4',
  repetitions: '8',
  hars: 'none',
  dialect: 'panda',
};

/** Its three kinds of connections, and the first byte over them, but of the same hosts. */
export const PANDA_CONNECT: RawOptions = {
  sites: 'www.example.org,www.360.cn',
  stacks: 'lsquic-h3,bun-h2',
  via: 'quic,tls1.3,tls1.2',
  requests: '1',
  rtt: '20,50,100',
  repetitions: '10',
};
