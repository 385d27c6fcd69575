import type { RawOptions } from '../../ground/options/row.ts';
import { PUBLISHED_DELAYS_MS } from './published.ts';

/**
 * The exchanges of the study of TU Dresden: a message of the size that it names by QUIC and by TCP with TLS 1.3, two programs of one runtime, with the
 * delays and as often as there.
 */
export const DRESDEN: RawOptions = {
  sites: 'www.example.org',
  stacks: 'socket-quic,socket-tls',
  baseline: 'socket-tls',
  rtt: PUBLISHED_DELAYS_MS.join(),
  message: '46',
  repetitions: '10',
  metric: 'handshake',
};
