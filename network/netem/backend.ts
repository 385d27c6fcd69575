import { release } from 'node:os';
import type { DirectionCounts } from '../../ground/records/network.ts';
import {
  CLIENT_ADDRESS,
  HARDWARE_ADDRESS,
  PATH_DEVICE,
  PATH_NETWORK,
  ROUTER_ADDRESS,
  WITHOUT_IPV6,
  words,
} from '../addresses.ts';
import { type NamespaceName, type PathAgent, withPathAgent } from '../agent.ts';
import type { SeededCondition } from '../conditions.ts';
import { type AppliedSizes, makeEnd, mtuSetter, sampleTcpInfo, tcpSetter } from '../end.ts';
import { type HandshakeWatch, watchHandshakes } from '../handshakes/watch.ts';
import {
  createNameServer,
  DEFAULT_PACKET_SIZES,
  longestPacketBytes,
  type PacketSizes,
  type Path,
  type PathOptions,
} from '../path.ts';
import { makeUplink, uplinkNamespaces } from '../uplink.ts';
import {
  type Direction,
  droppedCommand,
  MIDDLE_DEVICES,
  qdiscCommands,
  readCounts,
  readDropped,
  removeTreatmentCommands,
  supportsSeed,
  treatmentCommands,
} from './arguments.ts';

/**
 * Makes a path of three namespaces: two ends, and a middle with netem. The middle is one hop from both, because on a
 * sender's own device netem would see groups of segments instead of packets. Adds no delay or loss before apply().
 * @throws MachineError if this machine does not allow namespaces; NetworkError if it lacks netem
 */
export async function withNetemPath<T>(
  options: PathOptions,
  use: (path: Path) => Promise<T>,
): Promise<T> {
  const {
    python,
    prefix,
    signal,
    tracesFolder: _,
    ...end
  } = { ...DEFAULT_PACKET_SIZES, ...options };
  const { mtuBytes } = end;
  const namespaces: NamespaceName[] = ['client', 'middle', 'server', ...uplinkNamespaces(end)];
  return withPathAgent({ python, prefix, signal, namespaces }, async (agent) => {
    await runAll(agent, 'middle', SETTINGS_OF_MIDDLE);
    for (const name of ['client', 'server'] as const) {
      await runAll(agent, name, cableCommands(name, agent.holderOf('middle')));
      await makeEnd(agent, { ...end, end: name });
    }
    await runAll(agent, 'middle', middleCommands(mtuBytes, end.beyond));
    await makeUplink(agent, end);
    const seeded = supportsSeed(release(), await agent.run('middle', ['tc', '-V']));
    await agent.openCounter({ ...MIDDLE_DEVICES, longestPacketBytes: longestPacketBytes(end) });
    const setTcp = tcpSetter(agent, end);
    await setTcp({});
    const handshakes = await watchHandshakes(agent);
    return use(createPath(agent, { seeded, handshakes, setTcp, made: end }));
  });
}

function createPath(
  agent: PathAgent,
  {
    seeded,
    handshakes,
    setTcp,
    made,
  }: { seeded: boolean; handshakes: HandshakeWatch; made: PacketSizes } & Pick<Path, 'setTcp'>,
): Path {
  const sizesUnder = mtuSetter(agent, made, [
    ['client', PATH_DEVICE],
    ...Object.values(MIDDLE_DEVICES).map((device) => ['middle', device] as const),
    ['server', PATH_DEVICE],
  ]);
  let sizes: AppliedSizes = {
    mtuBytes: made.mtuBytes,
    longestPacketBytes: longestPacketBytes(made),
  };
  let applied: SeededCondition | null = null;
  let countsEverything = false;
  const tcpInfo = sampleTcpInfo(agent);
  return {
    backend: 'netem',
    agent,
    get mtuBytes() {
      return sizes.mtuBytes;
    },
    get longestPacketBytes() {
      return sizes.longestPacketBytes;
    },
    isSeeded: seeded,
    async apply(condition, load = {}) {
      const { keepsConnections = false, everything = false, captures = false } = load;
      await handshakes.begin();
      await tcpInfo.begin(load);
      sizes = await sizesUnder(condition);
      const { longestPacketBytes } = sizes;
      const before = applied?.udp;
      for (const direction of DIRECTIONS) {
        const options = { seeded, longestPacketBytes };
        if (before) await runAll(agent, 'middle', removeTreatmentCommands(before, direction));
        await runAll(agent, 'middle', qdiscCommands(condition, direction, options));
        if (condition.udp) {
          const commands = treatmentCommands(condition.udp, direction, longestPacketBytes);
          await runAll(agent, 'middle', commands);
        }
      }
      await agent.beginLoad({ keepsConnections, captures });
      applied = condition;
      countsEverything = everything;
    },
    connections: handshakes.connections,
    answeredRandoms: handshakes.answeredRandoms,
    writeCapture: agent.writeCapture,
    writeTcpInfo: tcpInfo.write,
    setTcp,
    names: createNameServer(agent),
    samples: async () => null,
    async count() {
      if (applied === null) throw new Error('nothing counts before a condition is applied');
      await tcpInfo.end();
      const ofLoad = await agent.countPackets();
      const condition = applied;
      const counted = async (direction: Direction) => ({
        ...(await countsOfQueue(agent, direction, condition)),
        // The counter overflowed: use the counts of all connections.
        ...(ofLoad.missed === 0 && !countsEverything ? ofLoad[direction] : {}),
      });
      return {
        toServer: await counted('toServer'),
        toClient: await counted('toClient'),
        maxLatenessMs: null,
        linkCpuMs: null,
      };
    },
  };
}

const DIRECTIONS = ['toServer', 'toClient'] as const;

async function countsOfQueue(
  agent: PathAgent,
  direction: Direction,
  applied: SeededCondition,
): Promise<DirectionCounts> {
  const show = words(`tc -json -statistics qdisc show dev ${MIDDLE_DEVICES[direction]}`);
  const counts = readCounts(await agent.run('middle', show), applied);
  if (!applied.udp) return { ...counts, udpDropped: 0 };
  const printed = await agent.run('middle', droppedCommand(direction));
  return { ...counts, udpDropped: readDropped(printed, applied.udp) };
}

/** The middle forwards packets, and sends only ICMP errors. */
const SETTINGS_OF_MIDDLE = [
  WITHOUT_IPV6,
  // Without a rate limit, so that every sender receives the ICMP error.
  words('sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.icmp_ratelimit=0'),
];

function cableCommands(end: 'client' | 'server', middle: number): string[][] {
  const middleDevice = MIDDLE_DEVICES[end === 'client' ? 'toClient' : 'toServer'];
  const peer = `name ${middleDevice} address ${HARDWARE_ADDRESS} netns ${middle}`;
  return [
    words(`ip link add ${PATH_DEVICE} address ${HARDWARE_ADDRESS} type veth peer ${peer}`),
    words(`ip link set ${PATH_DEVICE} arp off`),
  ];
}

function middleCommands(mtuBytes: number, beyond: readonly string[] = []): string[][] {
  return [
    ...Object.values(MIDDLE_DEVICES).map((device) =>
      words(`ip link set ${device} mtu ${mtuBytes} arp off up`),
    ),
    words(`ip address add ${ROUTER_ADDRESS}/32 dev ${MIDDLE_DEVICES.toClient}`),
    words(`ip route replace ${CLIENT_ADDRESS}/32 dev ${MIDDLE_DEVICES.toClient}`),
    ...[PATH_NETWORK, ...beyond].map((servers) =>
      words(`ip route replace ${servers} dev ${MIDDLE_DEVICES.toServer}`),
    ),
  ];
}

async function runAll(
  agent: PathAgent,
  namespace: NamespaceName,
  commands: readonly string[][],
): Promise<void> {
  for (const command of commands) await agent.run(namespace, command);
}
