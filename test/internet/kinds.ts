/**
 * Fate of packets to a host: it accepts them, they vanish, or the router finds no host and reports
 * it.
 */
export type Route = 'local' | 'blackhole' | 'nobody';

/** Listener on TCP port 443; null: nothing, so that connections are refused. */
export type TcpBehaviour =
  | 'https'
  | 'https-of-tls1.2'
  | 'https-of-any-key'
  | 'alert'
  | 'reset'
  | 'silence';

/** Listener on UDP port 443; null: nothing, so that ICMP reports an unreachable port. */
export type UdpBehaviour = 'h3' | 'h3-with-retry' | 'no-protocol' | 'other-version' | 'silence';

export type CertificateKind =
  | 'good'
  | 'expired'
  | 'small-key'
  | 'other-key'
  | 'wrong-name'
  | 'self-signed'
  | 'unknown-authority'
  | 'long-chain';

/** Response of the name server: addresses, NXDOMAIN, SERVFAIL, or nothing. */
export type NameAnswer = 'addresses' | 'nxdomain' | 'servfail' | 'silence';

/** Behaviour of hosts of one kind. */
export interface Kind {
  name: NameAnswer;
  route: Route;
  tcp: TcpBehaviour | null;
  udp: UdpBehaviour | null;
  certificate: CertificateKind;
}

const WEB: Kind = {
  name: 'addresses',
  route: 'local',
  tcp: 'https',
  udp: 'h3',
  certificate: 'good',
};

const NOTHING_LISTENS: Kind = { ...WEB, tcp: null, udp: null };

/** Every kind of host. */
export const KINDS = {
  web: WEB,
  'tls1.2-only': { ...WEB, tcp: 'https-of-tls1.2', udp: null },
  'tls-only': { ...WEB, udp: null },
  'h3-only': { ...WEB, tcp: null },
  retry: { ...WEB, udp: 'h3-with-retry' },
  'other-protocol': { ...WEB, udp: 'no-protocol' },
  'other-version': { ...WEB, udp: 'other-version' },
  expired: { ...WEB, certificate: 'expired' },
  'other-key': { ...WEB, certificate: 'other-key' },
  'small-key': { ...WEB, tcp: 'https-of-any-key', certificate: 'small-key' },
  'wrong-name': { ...WEB, certificate: 'wrong-name' },
  'self-signed': { ...WEB, certificate: 'self-signed' },
  'unknown-authority': { ...WEB, certificate: 'unknown-authority' },
  'long-chain': { ...WEB, certificate: 'long-chain' },
  alert: { ...WEB, tcp: 'alert', udp: 'no-protocol' },
  resets: { ...WEB, tcp: 'reset', udp: null },
  silent: { ...WEB, tcp: 'silence', udp: 'silence' },
  refuses: NOTHING_LISTENS,
  // A socket that is never read: from outside, the same as a filter that drops.
  'drops-udp': { ...WEB, udp: 'silence' },
  drops: { ...NOTHING_LISTENS, route: 'blackhole' },
  dead: { ...NOTHING_LISTENS, route: 'nobody' },
  'no-name': { ...NOTHING_LISTENS, name: 'nxdomain' },
  'name-fails': { ...NOTHING_LISTENS, name: 'servfail' },
  'name-silent': { ...NOTHING_LISTENS, name: 'silence' },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
