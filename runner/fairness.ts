import type { BufferRange, EndManifest, FairnessManifest } from '../ground/records/fairness.ts';
import { compareStacks, propertiesAt } from '../ground/records/like-for-like.ts';
import { type NetworkCondition, NOTHING_ADDED } from '../ground/records/network.ts';
import { isOverTcp } from '../ground/records/protocol.ts';
import type { Reading } from '../ground/records/reading.ts';
import { NetworkError } from '../ground/system/errors.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';
import { addressOfHost, PATH_DEVICE } from '../network/addresses.ts';
import type { NamespaceOrMachine, PathAgent } from '../network/agent.ts';
import {
  type ConnectionFacts,
  type NamespaceFacts,
  type Probe,
  withProbe,
} from '../network/calibration/probe.ts';
import { type Path, tcpSettingsOf } from '../network/path.ts';
import { UPLINK_ADDRESS, UPLINK_DEVICE } from '../network/uplink.ts';
import { READY_LINE, type ReadyServer, stackReadings, udpSockets } from './stack-readings.ts';

/** Ready servers under one condition, with their ready lines. */
export interface ConditionServers {
  network: NetworkCondition;
  servers: readonly ReadyServer[];
}

export interface FairnessOptions {
  /** The project's Python. */
  python: string;
  /** Ready servers with their ready lines, under the first condition when conditions are given. */
  servers: readonly ReadyServer[];
  /** Conditions that change both ends; absent: none. */
  conditions?: readonly ConditionServers[];
  /** Name of the client program. */
  client: string;
  signal?: AbortSignal;
}

type InspectedPath = { agent: Pick<PathAgent, 'enter' | 'run'> } & Pick<Path, 'apply' | 'setTcp'>;

/**
 * Reads the settings of both ends of a path from the system; call it before loads, with no network emulation on the path.
 * @throws NetworkError when no TCP connection can be opened through the path.
 */
export async function readFairness(
  path: InspectedPath,
  { python, servers, conditions = [], client, signal }: FairnessOptions,
): Promise<FairnessManifest> {
  const { agent } = path;
  const readAt = new Date().toISOString();
  return withProbe({ agent, python, address: addressOfHost(0), signal }, async (probe) => {
    const readUnder = async ({ network, servers }: ConditionServers) => {
      if (network !== NOTHING_ADDED) {
        const { mtuBytes } = network;
        await path.apply({ ...NOTHING_ADDED, ...(mtuBytes && { mtuBytes }), seed: 0 });
        await path.setTcp(tcpSettingsOf({}, network));
      }
      const connection = await probe.connection();
      const end = async (name: 'client' | 'server') =>
        readEnd(agent, name, PATH_DEVICE, {
          connection: connection[name],
          namespace: await probe.namespace(name, PATH_DEVICE),
        });
      const ends = { client: await end('client'), server: await end('server') };
      const sockets = await udpSockets(agent);
      const readings: FairnessManifest['readings'] = {};
      for (const server of servers) {
        const own = await ownTcp(probe, path, server.stack, network);
        readings[server.stack.stack] = stackReadings(server, {
          end: { ...ends.server, ...own.server },
          client: { name: client, end: { ...ends.client, ...own.client } },
          machine: server.shown?.isHere
            ? await machineEnd(path, server.stack, network, { python, signal })
            : null,
          sockets,
        });
      }
      return { ends, readings };
    };
    const [first = { network: NOTHING_ADDED, servers }, ...rest] = conditions;
    const { ends, readings } = await readUnder(first);
    const known = new Set(Object.values(readings).flatMap(Object.keys));
    const compared = propertiesAt('before loads').filter((property) => known.has(property));
    const under = { [first.network.name]: readings };
    for (const each of rest) under[each.network.name] = (await readUnder(each)).readings;
    if (conditions.length > 0) await path.setTcp({});
    return {
      readAt,
      ...ends,
      readings,
      ...(conditions.length > 0 && { under }),
      pairs: compareStacks(readings, 'before loads', compared),
      stacks: Object.fromEntries(
        servers.map(({ stack, details }) => [stack.stack, detailsManifest(details)]),
      ),
    };
  });
}

/** The machine's end of a connection to a running server on this machine. */
async function machineEnd(
  path: InspectedPath,
  stack: ReadyServer['stack'],
  network: NetworkCondition,
  { python, signal }: Pick<FairnessOptions, 'python' | 'signal'>,
): Promise<EndManifest> {
  const { agent } = path;
  const where = { agent, python, place: 'machine', address: UPLINK_ADDRESS, signal } as const;
  return withProbe(where, async (probe) => {
    const { server: connection } = await probe.connection();
    const namespace = await probe.namespace('machine', UPLINK_DEVICE);
    const end = await readEnd(agent, 'machine', UPLINK_DEVICE, { connection, namespace });
    return { ...end, ...(await ownTcp(probe, path, stack, network)).server };
  });
}

/** TCP at both ends with the settings of one arm. */
async function ownTcp(
  probe: Probe,
  path: Pick<Path, 'setTcp'>,
  { settings, protocol }: ReadyServer['stack'],
  network: NetworkCondition,
): Promise<Record<'client' | 'server', Partial<EndManifest>>> {
  if (!settings || !isOverTcp(protocol)) return { client: {}, server: {} };
  await path.setTcp(tcpSettingsOf(settings, network));
  const { server } = await probe.connection();
  const bufferAt = async (name: 'client' | 'server'): Promise<Partial<EndManifest>> => {
    if (settings.receiveBufferBytes === undefined) return {};
    const facts = await probe.namespace(name, PATH_DEVICE);
    return { tcpReceiveBufferBytes: receiveBuffer(facts, AS_FOR_STACK) };
  };
  const ends = {
    client: await bufferAt('client'),
    server: {
      ...tcpReadings(server, `${OF_CONNECTION}${AS_FOR_STACK}`),
      ...(await bufferAt('server')),
    },
  };
  await path.setTcp(tcpSettingsOf({}, network));
  return ends;
}

const AS_FOR_STACK = ', set as for this stack';

/** @param how caveat of the reading */
function receiveBuffer({ settings }: NamespaceFacts, how = '') {
  const { value, from } = readSetting(settings, 'net/ipv4/tcp_rmem', bufferRange);
  return { value, from: `${from}${how}` };
}

/** A device in the output of `ip -json -details link`. */
interface Link {
  mtu?: number;
  qdisc?: string;
  gso_max_segs?: number;
}

const LINK_COMMAND = ['ip', '-json', '-details', 'link', 'show', 'dev'];
const ROUTE_COMMAND = ['ip', '-json', 'route', 'show'];

async function readJson<T>(
  agent: Pick<PathAgent, 'run'>,
  name: NamespaceOrMachine,
  command: readonly string[],
): Promise<T> {
  const output = await agent.run(name, command);
  try {
    return JSON.parse(output);
  } catch {
    throw new NetworkError(
      `\`${command.join(' ')}\` in the ${name} namespace printed no JSON: ${output.slice(0, 200)}. Expected iproute2 5.0 or newer.`,
    );
  }
}

const OF_CONNECTION = 'of a TCP connection through the path';

function tcpReadings({ congestionControl, sndCwnd }: ConnectionFacts, ofConnection: string) {
  return {
    tcpCongestionControl: reading(congestionControl, `TCP_CONGESTION ${ofConnection}`),
    tcpInitialWindowSegments: reading(sndCwnd, `TCP_INFO snd_cwnd ${ofConnection}`),
  };
}

/** An end with its device; each value with its source. */
async function readEnd(
  agent: Pick<PathAgent, 'run'>,
  context: NamespaceOrMachine,
  device: string,
  { connection, namespace }: { connection: ConnectionFacts; namespace: NamespaceFacts },
): Promise<EndManifest> {
  const ofLink = [...LINK_COMMAND, device];
  const [link = {}] = await readJson<Link[]>(agent, context, ofLink);
  const routes = await readJson<{ dst?: string }[]>(agent, context, ROUTE_COMMAND);
  // Routes that leave the namespace.
  const destinations = routes.map(({ dst }) => dst ?? 'unknown');
  const setting = <T>(name: string, read: (text: string) => T): Reading<T> =>
    readSetting(namespace.settings, name, read);
  const linkCommand = ofLink.join(' ');
  const disablesIpv6 = namespace.settings.disable_ipv6;
  return {
    ...tcpReadings(connection, OF_CONNECTION),
    tcpMssBytes: reading(connection.sndMss, `TCP_INFO snd_mss ${OF_CONNECTION}`),
    pathMtuBytes: reading(connection.pathMtu, `TCP_INFO pmtu ${OF_CONNECTION}`),
    deviceMtuBytes: reading(link.mtu, linkCommand),
    segmentsPerPacket: reading(link.gso_max_segs, linkCommand),
    queueingDiscipline: reading(link.qdisc, linkCommand),
    offloads: reading(namespace.features, `ETHTOOL_GFEATURES of ${device}`),
    tcpSlowStartAfterIdle: setting('net/ipv4/tcp_slow_start_after_idle', isOn),
    tcpSavesMetrics: setting('net/ipv4/tcp_no_metrics_save', (text) => !isOn(text)),
    tcpEcn: setting('net/ipv4/tcp_ecn', Number),
    tcpReceiveBufferBytes: receiveBuffer(namespace),
    tcpSendBufferBytes: setting('net/ipv4/tcp_wmem', bufferRange),
    udpReceiveBufferBytes: reading(namespace.udp.receiveBufferBytes, 'SO_RCVBUF of a new socket'),
    udpSendBufferBytes: reading(namespace.udp.sendBufferBytes, 'SO_SNDBUF of a new socket'),
    udpReceiveBufferLimitBytes: setting('net/core/rmem_max', Number),
    udpSendBufferLimitBytes: setting('net/core/wmem_max', Number),
    ipv6: reading(
      // A kernel without IPv6 has no such file.
      disablesIpv6 === null || disablesIpv6 === undefined ? false : !isOn(disablesIpv6),
      `/proc/sys/net/ipv6/conf/${device}/disable_ipv6`,
    ),
    routes: reading(destinations, ROUTE_COMMAND.join(' ')),
  };
}

function detailsManifest(details: ReadyServer['details']): Record<string, Reading<string>> {
  const entries = Object.entries(details);
  return Object.fromEntries(entries.map(([name, value]) => [name, reading(value, READY_LINE)]));
}

function reading<T>(value: T | null | undefined, from: string): Reading<T> {
  return { value: value ?? null, from };
}

/** Older kernels show some settings outside of namespaces only; these apply to the whole machine. */
function readSetting<T>(
  ofNamespace: Record<string, string | null>,
  name: string,
  read: (text: string) => T,
): Reading<T> {
  const file = `/proc/sys/${name}`;
  const text = ofNamespace[name];
  if (text !== null && text !== undefined) return reading(read(text), file);
  const ofMachine = readIfThere(file)?.trim();
  if (ofMachine === undefined) return reading<T>(null, file);
  return reading(read(ofMachine), `${file} of the whole machine`);
}

function isOn(text: string): boolean {
  return Number(text) !== 0;
}

function bufferRange(text: string): BufferRange {
  const [minimum = 0, initial = 0, maximum = 0] = text.split(/\s+/).map(Number);
  return { minimum, initial, maximum };
}
