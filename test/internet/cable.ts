import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { words } from '../../network/addresses.ts';
import type { PathAgent } from '../../network/agent.ts';
import { type AddressedHost, CLIENT, NAME_SERVER, ROUTER } from './hosts.ts';
import type { Route } from './kinds.ts';

const DEVICE = 'cable0';

const HAND_OVER = 100;
const DROP = 10;

/** An address without a host to answer the router. */
const VOID = 'void0';

/** Addresses are usable at once: a later one is a network change, which ends loads of Chromium. */
const SETTINGS = 'sysctl -e -q -w net.ipv6.conf.default.accept_dad=0';

/**
 * The router's ICMP errors are not rate-limited: a test may contact many hosts at once. -e: some
 * kernels lack such a setting.
 */
const SETTINGS_OF_SERVER =
  'sysctl -e -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0 net.ipv4.icmp_msgs_per_sec=1000000 net.ipv6.ip_nonlocal_bind=1 net.ipv4.ip_unprivileged_port_start=0';

/**
 * Joins both namespaces. The server's is a router for the client: addresses of hosts are its own,
 * vanish in it, or do not exist; any other address has no route.
 * @param folder for a file that is read at once
 */
export async function layCable(
  agent: PathAgent,
  hosts: readonly AddressedHost[],
  folder: string,
): Promise<void> {
  const server = `${agent.holderOf('server')}`;
  for (const namespace of ['server', 'client'] as const)
    await agent.run(namespace, words(SETTINGS));
  await agent.run('server', words(SETTINGS_OF_SERVER));
  await agent.run('server', words(`ip link add ${VOID} type veth peer name ${VOID}-end`));
  await agent.run(
    'client',
    words(`ip link add ${DEVICE} type veth peer name ${DEVICE} netns ${server}`),
  );
  // Room for rules before the one that passes packets to sockets.
  for (const family of ['-4', '-6']) {
    await agent.run('server', words(`ip ${family} rule add pref ${HAND_OVER} lookup local`));
    await agent.run('server', words(`ip ${family} rule delete pref 0`));
  }
  const [client4, client6] = CLIENT;
  const [router4, router6] = ROUTER;
  const batches = {
    server: [
      'link set lo up',
      `address add ${router4}/24 dev ${DEVICE}`,
      `address add ${NAME_SERVER}/24 dev ${DEVICE}`,
      `address add ${router6}/64 dev ${DEVICE} nodad`,
      `link set ${DEVICE} up`,
      `link set ${VOID}-end up`,
      `link set ${VOID} up`,
      // It gives up soon, but not before a client's connect() has returned: the kernel keeps no error for a socket that is busy.
      `ntable change name arp_cache dev ${VOID} retrans 20 mcast_probes 2`,
      `ntable change name ndisc_cache dev ${VOID} retrans 20 mcast_probes 2`,
      ...routesOf(hosts),
    ],
    client: [
      'link set lo up',
      `address add ${client4}/24 dev ${DEVICE}`,
      `address add ${client6}/64 dev ${DEVICE} nodad`,
      `link set ${DEVICE} up`,
      `route add default via ${router4}`,
      `route add default via ${router6}`,
    ],
  };
  for (const namespace of ['server', 'client'] as const) {
    const file = path.join(folder, `${namespace}.batch`);
    await writeFile(file, batches[namespace].map((line) => `${line}\n`).join(''));
    await agent.run(namespace, ['ip', '-batch', file]);
  }
  for (const namespace of ['server', 'client'] as const) await isUp(agent, namespace);
}

const POLL_MS = 20;
const UP_LIMIT_MS = 5_000;

/** The kernel drops what is sent before it has noticed that a cable has both of its ends. */
async function isUp(agent: PathAgent, namespace: 'client' | 'server'): Promise<void> {
  const isSettled = async () => {
    const [device] = JSON.parse(await agent.run(namespace, words(`ip -json link show ${DEVICE}`)));
    return device.operstate === 'UP';
  };
  for (let waitedMs = 0; !(await isSettled()); waitedMs += POLL_MS) {
    if (waitedMs > UP_LIMIT_MS) throw new Error(`${DEVICE} of the ${namespace} does not come up`);
    await sleep(POLL_MS);
  }
}

/**
 * Drops packets over UDP to port 443 of these addresses from now on.
 * @returns what lets them through again
 */
export async function dropUdp(
  agent: PathAgent,
  addresses: readonly string[],
): Promise<() => Promise<void>> {
  const change = async (verb: 'add' | 'delete') => {
    for (const address of addresses) {
      const family = address.includes(':') ? '-6' : '-4';
      const rule = `to ${address} ipproto udp dport 443 blackhole`;
      await agent.run('server', words(`ip ${family} rule ${verb} pref ${DROP} ${rule}`));
    }
  };
  await change('add');
  return () => change('delete');
}

const ROUTES: Record<Route, (address: string) => string> = {
  // One of the router's own, as if it had been added to a device.
  local: (address) => `local ${address} dev lo`,
  blackhole: (address) => `blackhole ${address}`,
  nobody: (address) => `${address} dev ${VOID}`,
};

function routesOf(hosts: readonly AddressedHost[]): string[] {
  const routes = hosts.flatMap(({ kind, addresses }) =>
    addresses.map((address) => {
      return `route replace ${ROUTES[kind.route](address)}`;
    }),
  );
  return [...new Set(routes)];
}
