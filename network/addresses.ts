import type { PacketSizes, TcpSettings } from './path.ts';

/** Device of the path at both of its ends. */
export const PATH_DEVICE = 'path0';

export const CLIENT_ADDRESS = '198.18.0.1';

/** The browser's address after an event that changes it. */
export const OTHER_CLIENT_ADDRESS = '198.18.0.2';

export const CLIENT_NETWORK = '198.18.0.0/24';

/**
 * Within the network for benchmarks (RFC 2544, appendix C.2.2). To a private address (RFC 1918) Firefox would open no connection by
 * TCP while QUIC does not answer.
 */
export const PATH_NETWORK = '198.18.0.0/16';

/**
 * Both ends of a cable share a hardware address: without ARP a sender uses its own as the receiver's, and the packet is
 * accepted. So the cable carries only packets of attempts.
 */
export const HARDWARE_ADDRESS = '02:00:00:00:00:01';

/** Address of the middle, if any, which answers packets that it does not forward. It belongs to no host. */
export const ROUTER_ADDRESS = '198.18.255.254';

const HOSTS_PER_BYTE = 250;
/** Number of hosts' addresses. */
export const MOST_HOSTS = HOSTS_PER_BYTE * HOSTS_PER_BYTE;

/** Address of the n-th host (0, 1, ...) of a site: each has its own, as on the real site. */
export function addressOfHost(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= MOST_HOSTS) {
    throw new RangeError(`host ${index}: expected 0 to ${MOST_HOSTS - 1}`);
  }
  // The client is in 198.18.0.x.
  return `198.18.${1 + Math.floor(index / HOSTS_PER_BYTE)}.${1 + (index % HOSTS_PER_BYTE)}`;
}

export interface PathEnd extends PacketSizes {
  end: 'client' | 'server';
  hosts: number;
  congestionControl: string;
  /** Initial congestion window of TCP in segments; null: the kernel's own. */
  initcwnd: number | null;
  /** Limit of unread TCP data in flight to this end; null or absent: the kernel's default. */
  receiveWindowBytes?: number | null;
}

/** Addresses in the format of `ip`; at the server's end one per host. */
export function addressesOfEnd({ end, hosts }: Pick<PathEnd, 'end' | 'hosts'>): string[] {
  if (end === 'client') return [`${CLIENT_ADDRESS}/32`];
  return Array.from({ length: hosts }, (_, index) => `${addressOfHost(index)}/32`);
}

/**
 * Commands that set up one end of the path in a namespace with only its device:
 * TCP's settings, the device, its addresses, and the only route, to the other end.
 */
export function commandsOfEnd(end: PathEnd): string[][] {
  return [
    ...SETTINGS,
    words('ip link set lo up'),
    ...deviceCommands(end),
    ...addressesOfEnd(end).map((address) => words(`ip address add ${address} dev ${PATH_DEVICE}`)),
    words(`ip link set ${PATH_DEVICE} up`),
    routeCommand(end),
  ];
}

/** Turns IPv6 off in a namespace. -e: ignores the error of a kernel without IPv6. */
export const WITHOUT_IPV6: string[] = words(
  'sysctl -e -q -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1',
);

/**
 * Kernel settings of an end: nothing is remembered from earlier loads, no feature belongs to one protocol only, and
 * any user may bind every port.
 */
const SETTINGS: string[][] = [
  WITHOUT_IPV6,
  words('sysctl -q -w net.ipv4.ip_unprivileged_port_start=0'),
  // Go listens with it, and the kernel paces no such socket. No browser uses it.
  words('sysctl -e -q -w net.mptcp.enabled=0'),
  words(
    'sysctl -q -w net.ipv4.tcp_no_metrics_save=1 net.ipv4.tcp_ecn=0 net.ipv4.tcp_slow_start_after_idle=0',
  ),
];

/** Packets of the given size, without offloads one segment each; no queue or drop outside of the emulation. */
export function deviceCommands(
  { mtuBytes, offloads }: PacketSizes,
  device: string = PATH_DEVICE,
): string[][] {
  const groups = offloads === 'off' ? 'gso_max_segs 1 ' : '';
  return [
    words(`ip link set ${device} mtu ${mtuBytes} ${groups}txqueuelen 10000`),
    words(`tc qdisc replace dev ${device} root noqueue`),
  ];
}

/** Sets the only route of an end, with TCP's settings; run again, it applies to new connections. */
export function routeCommand({ end, ...tcp }: Pick<PathEnd, 'end'> & TcpSettings): string[] {
  const other = end === 'client' ? PATH_NETWORK : CLIENT_NETWORK;
  return tcpRoute(other, PATH_DEVICE, tcp);
}

export function tcpRoute(
  destination: string,
  device: string,
  { congestionControl, initcwnd, receiveWindowBytes = null }: TcpSettings,
): string[] {
  return [
    ...words(`ip route replace ${destination} dev ${device} congctl ${congestionControl}`),
    ...(initcwnd === null ? [] : ['initcwnd', `${initcwnd}`]),
    ...(receiveWindowBytes === null ? [] : ['window', `${receiveWindowBytes}`]),
  ];
}

export function words(command: string): string[] {
  return command.split(' ');
}
