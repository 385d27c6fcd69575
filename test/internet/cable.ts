import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PathAgent } from '../../network/agent.ts';
import { words } from '../../network/command.ts';
import { CLIENT, NAME_SERVER, type PlacedHost, ROUTER } from './hosts.ts';

const DEVICE = 'cable0';

/** Errors that the router tells are not limited: a test may ask many hosts at once. -e: some kernels have no such setting. */
const SETTINGS_OF_SERVER =
  'sysctl -e -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0 net.ipv4.icmp_msgs_per_sec=1000000 net.ipv6.ip_nonlocal_bind=1 net.ipv4.ip_unprivileged_port_start=0';

/**
 * Joins both namespaces. The server's is a router for the client: addresses of hosts are its own, vanish in it, or are nowhere; of
 * any other it says that there is no way to them.
 * @param folder for a file that is read at once
 */
export async function layCable(
  agent: PathAgent,
  hosts: readonly PlacedHost[],
  folder: string,
): Promise<void> {
  const server = `${agent.holderOf('server')}`;
  await agent.run('server', words(SETTINGS_OF_SERVER));
  await agent.run(
    'client',
    words(`ip link add ${DEVICE} type veth peer name ${DEVICE} netns ${server}`),
  );
  const [client4, client6] = CLIENT;
  const [router4, router6] = ROUTER;
  const batches = {
    server: [
      'link set lo up',
      `address add ${router4}/24 dev ${DEVICE}`,
      `address add ${NAME_SERVER}/24 dev ${DEVICE}`,
      `address add ${router6}/64 dev ${DEVICE} nodad`,
      `link set ${DEVICE} up`,
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
}

/** `local` is an address of the router's own, as if each had been added to a device. */
function routesOf(hosts: readonly PlacedHost[]): string[] {
  const routes = hosts.flatMap(({ kind, addresses }) =>
    addresses.map((address) => {
      const device = kind.route === 'local' ? ' dev lo' : '';
      return `route replace ${kind.route} ${address}${device}`;
    }),
  );
  return [...new Set(routes)];
}
