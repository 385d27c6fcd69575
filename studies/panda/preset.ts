import type { RawOptions } from '../../ground/options/row.ts';

/** A video over QUIC and over TCP with the kernel's receive buffer, as in Panda's study of 2019, in files like those of its programs. */
export const PANDA: RawOptions = {
  stacks: 'lsquic-h3,bun-h2',
  rtt: '50,100',
  'receive-buffer': 'stock',
  duration: '4',
  repetitions: '8',
  hars: 'none',
  dialect: 'panda',
};

/** Its three kinds of connections and their first byte, with the same hosts for all. */
export const PANDA_CONNECT: RawOptions = {
  sites: 'www.example.org,www.360.cn',
  stacks: 'lsquic-h3,bun-h2',
  via: 'quic,tls1.3,tls1.2',
  requests: '1',
  rtt: '20,50,100',
  repetitions: '10',
};
