import type { PresetOptions } from '../../ground/options/preset.ts';

/**
 * Kernels before 4.20 sized TCP's first receive buffer by the longest segment (tcp_fixup_rcvbuf in net/ipv4/tcp_input.c), which on loopback
 * made it sixteen segments of 64 kB with their overhead, about 1 MB; later ones begin with 128 kB everywhere.
 */
const LOOPBACK_RECEIVE_BUFFER_BYTES = 1_048_576;

/**
 * The comparison of QUIC and HTTPS published in December 2018, as it was really made (docs/original-experiment.md): the
 * document's time on a reload, by QUIC over a connection that is open, by HTTPS over a new one for each request.
 */
export const PUBLISHED: PresetOptions = {
  sites: ['published'],
  stacks: ['lsquic-h3', 'flask-dev'],
  baseline: 'flask-dev',
  rtt: [0, 30],
  repetitions: 10,
  visit: ['reload'],
  order: 'sequential',
  isolation: 'process',
  metric: 'document',
  tls: '1.2',
  document: 'as-saved',
  'sub-resources': 'missing',
  mtu: [65_535],
  offloads: 'on',
  'receive-buffer': [LOOPBACK_RECEIVE_BUFFER_BYTES],
  initcwnd: ['stock'],
};
