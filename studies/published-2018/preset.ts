import type { RawOptions } from '../../ground/options/row.ts';

/**
 * The comparison of QUIC and HTTPS published in December 2018, as it was measured (studies/published-2018/README.md): the document time
 * on a reload, over an open QUIC connection, and by HTTPS over a new connection for each request.
 */
export const PUBLISHED: RawOptions = {
  sites: 'published',
  stacks: 'lsquic-h3,flask-dev',
  baseline: 'flask-dev',
  rtt: '0,30',
  repetitions: '10',
  visit: 'reload',
  order: 'sequential',
  isolation: 'process',
  metric: 'document',
  tls: '1.2',
  document: 'as-saved',
  'sub-resources': 'missing',
  mtu: '65535',
  offloads: 'on',
  // Kernels before 4.20 sized TCP's first receive buffer by the longest segment (tcp_fixup_rcvbuf in net/ipv4/tcp_input.c): on loopback
  // sixteen segments of 64 kB with overhead, about 1 MB; later kernels always start with 128 kB.
  'receive-buffer': '1048576',
  initcwnd: 'stock',
};
