import { setTimeout as sleep } from 'node:timers/promises';
import { MachineError, NetworkError } from '../ground/system/errors.ts';
import {
  CLIENT_ADDRESS,
  CLIENT_NETWORK,
  deviceCommands,
  HARDWARE_ADDRESS,
  PATH_DEVICE,
  tcpRoute,
  WITHOUT_IPV6,
  words,
} from './addresses.ts';
import {
  CommandError,
  type NamespaceName,
  type NamespaceOrMachine,
  type PathAgent,
} from './agent.ts';
import type { PacketSizes, PathOptions, TcpSettings } from './path.ts';

/** The uplink's device in the namespace in which the run was started. */
export const UPLINK_DEVICE = 'quic-vs-https';

/** The machine's address on that device, outside of the addresses of hosts. */
export const UPLINK_ADDRESS = '198.18.255.1';

const SERVER_DEVICE = 'uplink0';

/** The ends of both cables that are in the uplink's own namespace. */
const TO_SERVER = 'toserver';
const TO_MACHINE = 'tomachine';

type Uplink = Pick<PathOptions, 'beyond'> & TcpSettings;

/**
 * The namespace of the uplink, if servers are beyond the path. A killed server's open connections keep its namespace and
 * devices for minutes: without a namespace between them the machine's device would stay as long.
 */
export function uplinkNamespaces({ beyond = [] }: Pick<Uplink, 'beyond'>): NamespaceName[] {
  return beyond.length === 0 ? [] : ['uplink'];
}

/**
 * Extends a path to servers beyond its end: a cable leads to the uplink's namespace, another from there to the machine,
 * which gets a device with an address, and a route to the client. All disappear with that namespace.
 * @throws MachineError if only root may make them; NetworkError if the machine already has such a route or device
 */
export async function makeUplink(
  agent: Pick<PathAgent, 'run' | 'holderOf' | 'userNamespace'>,
  { beyond = [], ...path }: Uplink & PacketSizes,
): Promise<void> {
  if (beyond.length === 0) return;
  if (agent.userNamespace) {
    throw new MachineError(
      'A server that runs already can be reached only by a device of the machine, which an ordinary user may not make. Run as root, or have the run start the server (--server).',
    );
  }
  await assertNoRouteConflict(agent);
  const cable = (device: string, peer: string) =>
    words(
      `ip link add ${device} address ${HARDWARE_ADDRESS} type veth peer name ${peer} address ${HARDWARE_ADDRESS} netns ${agent.holderOf('uplink')}`,
    );
  const forwards = words('sysctl -q -w net.ipv4.ip_forward=1');
  const routes = (device: string) =>
    beyond.map((address) => words(`ip route replace ${address}/32 dev ${device}`));
  await runAll(agent, 'machine', [
    cable(UPLINK_DEVICE, TO_MACHINE),
    words(`ip link set ${UPLINK_DEVICE} arp off addrgenmode none`),
    ...deviceCommands(path, UPLINK_DEVICE),
    words(`ip address add ${UPLINK_ADDRESS}/32 dev ${UPLINK_DEVICE}`),
    words(`ip link set ${UPLINK_DEVICE} up`),
  ]);
  await runAll(agent, 'server', [
    forwards,
    cable(SERVER_DEVICE, TO_SERVER),
    ...deviceCommands(path, SERVER_DEVICE),
    words(`ip link set ${SERVER_DEVICE} arp off up`),
    ...routes(SERVER_DEVICE),
  ]);
  await runAll(agent, 'uplink', [
    WITHOUT_IPV6,
    forwards,
    ...[TO_SERVER, TO_MACHINE].flatMap((device) => [
      ...deviceCommands(path, device),
      words(`ip link set ${device} arp off up`),
    ]),
    words(`ip route replace ${CLIENT_NETWORK} dev ${TO_SERVER}`),
    ...routes(TO_MACHINE),
  ]);
  for (const [place, route] of uplinkRoutes({ beyond, ...path })) await agent.run(place, route);
  await assertRouteToClient(agent);
}

/** Routes between the client and servers beyond the path, with TCP's settings for new connections. */
export function uplinkRoutes({ beyond = [], ...tcp }: Uplink): [NamespaceOrMachine, string[]][] {
  if (beyond.length === 0) return [];
  return [
    ...beyond.map((address): [NamespaceOrMachine, string[]] => [
      'client',
      tcpRoute(`${address}/32`, PATH_DEVICE, tcp),
    ]),
    ['machine', tcpRoute(CLIENT_NETWORK, UPLINK_DEVICE, tcp)],
  ];
}

/** The kernel removes a run's namespaces and their devices some time after its end. */
const REMOVAL_LIMIT_MS = 5_000;
const POLL_INTERVAL_MS = 100;

/** @throws NetworkError if the machine already has a route to the client, as during another run with an uplink */
async function assertNoRouteConflict(agent: Pick<PathAgent, 'run'>): Promise<void> {
  const show = words(`ip route show table all to exact ${CLIENT_NETWORK}`);
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    const [route = ''] = (await agent.run('machine', show)).trim().split('\n');
    if (route === '') return;
    if (waitedMs >= REMOVAL_LIMIT_MS || !route.includes(UPLINK_DEVICE))
      throw routeConflict(route.trim());
    await sleep(POLL_INTERVAL_MS);
  }
}

/** @throws NetworkError if a routing rule of the machine overrules the route to the client */
async function assertRouteToClient(agent: Pick<PathAgent, 'run'>): Promise<void> {
  const route = await agent.run('machine', words(`ip route get ${CLIENT_ADDRESS}`));
  if (!route.includes(`dev ${UPLINK_DEVICE} `))
    throw routeConflict(route.trim().split('\n')[0] ?? '');
}

async function runAll(
  agent: Pick<PathAgent, 'run'>,
  place: NamespaceOrMachine,
  commands: readonly string[][],
): Promise<void> {
  for (const command of commands) {
    try {
      await agent.run(place, command);
    } catch (error) {
      // Two runs that begin at the same time: neither has a route yet.
      if (error instanceof CommandError && /File exists/.test(error.message)) {
        throw routeConflict(`device ${UPLINK_DEVICE}`);
      }
      throw error;
    }
  }
}

function routeConflict(what: string): NetworkError {
  return new NetworkError(
    `A server that runs already cannot be reached: this machine has a way of its own to ${CLIENT_ADDRESS}, the client of the path: ${what}. Another run with such a server has device ${UPLINK_DEVICE}: wait until it has ended. Otherwise remove that way.`,
  );
}
