import type { RawOptions } from '../../ground/options/row.ts';
import { PUBLISHED_DELAYS_MS } from './published.ts';

/**
 * The exchanges of the study of TU Dresden: a message of the published size over QUIC and over TCP with TLS 1.3, by two programs of one
 * runtime, with the published delays and repetitions.
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
