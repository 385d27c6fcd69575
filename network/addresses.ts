import type { PacketSizes, TcpSettings } from './path.ts';

/** The device of the path in both of its ends. */
export const PATH_DEVICE = 'path0';

export const CLIENT_ADDRESS = '10.89.0.1';

/** The browser's from the middle of an attempt on, where a condition asks for that. */
export const OTHER_CLIENT_ADDRESS = '10.89.0.2';

/** Both of them. */
export const CLIENT_NETWORK = '10.89.0.0/24';

export const PATH_NETWORK = '10.89.0.0/16';

/**
 * Both ends of a cable have the same hardware address: with ARP off a sender puts its own as the receiver's, and the packet is
 * taken. So nothing but the packets of attempts is ever on it.
 */
export const HARDWARE_ADDRESS = '02:00:00:00:00:01';

/** The address of the middle, where the path has one: who answers packets that may go no further. No host has it. */
export const ROUTER_ADDRESS = '10.89.255.254';

const HOSTS_PER_BYTE = 250;
const MOST_HOSTS = HOSTS_PER_BYTE * HOSTS_PER_BYTE;

/** The address of the n-th host (0, 1, ...) of a site on the path, as a real site's hosts have their own. */
export function addressOfHost(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= MOST_HOSTS) {
    throw new RangeError(`host ${index}: expected 0 to ${MOST_HOSTS - 1}`);
  }
  // The client is in 10.89.0.x.
  return `10.89.${1 + Math.floor(index / HOSTS_PER_BYTE)}.${1 + (index % HOSTS_PER_BYTE)}`;
}

export interface PathEnd extends PacketSizes {
  end: 'client' | 'server';
  /** How many hosts have an address at the server's end. */
  hosts: number;
  congestionControl: string;
  /** Initial congestion window of TCP in segments; null: the kernel's own. */
  initcwnd: number | null;
  /** The most that TCP's other end may have on its way here, in bytes; null or left out: the kernel decides. */
  receiveWindowBytes?: number | null;
}

/** Addresses of an end as `ip` wants them, one for each host at the server's. */
export function addressesOfEnd({ end, hosts }: Pick<PathEnd, 'end' | 'hosts'>): string[] {
  if (end === 'client') return [`${CLIENT_ADDRESS}/32`];
  return Array.from({ length: hosts }, (_, index) => `${addressOfHost(index)}/32`);
}

/**
 * The commands that make one end of the path out of a namespace with nothing but the device in it:
 * what TCP may do, the device, its addresses, and the only route, to the other end.
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

/** For any namespace of the path. -e: a kernel without IPv6 has nothing to turn off. */
export const WITHOUT_IPV6: string[] = words(
  'sysctl -e -q -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1',
);

/**
 * Kernel settings of an end: no memory of earlier loads, nothing that only one protocol has, and every port for whomever the run is
 * started by.
 */
const SETTINGS: string[][] = [
  WITHOUT_IPV6,
  words('sysctl -q -w net.ipv4.ip_unprivileged_port_start=0'),
  words(
    'sysctl -q -w net.ipv4.tcp_no_metrics_save=1 net.ipv4.tcp_ecn=0 net.ipv4.tcp_slow_start_after_idle=0',
  ),
];

/** Packets as asked, one segment each without offloads, and nothing queued or dropped outside of the emulation. */
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

/** The only route of an end, which also says what TCP may do on it; again, connections from then on have it. */
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

/** A command as a shell would take it apart, if no word had a space in it. */
export function words(command: string): string[] {
  return command.split(' ');
}
