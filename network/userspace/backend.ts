import path from 'node:path';
import { inFolder } from '../../ground/records/file-name.ts';
import {
  type DirectionCounts,
  limitKbps,
  type PathDirection,
  type PathEvent,
  traceOf,
} from '../../ground/records/network.ts';
import { OTHER_CLIENT_ADDRESS, PATH_DEVICE } from '../addresses.ts';
import { type LinkCounts, type LinkDirection, type LinkEvent, withPathAgent } from '../agent.ts';
import type { SeededCondition } from '../conditions.ts';
import { type AppliedSizes, makeEnd, mtuSetter, sampleTcpInfo, tcpSetter } from '../end.ts';
import { watchHandshakes } from '../handshakes/watch.ts';
import {
  createNameServer,
  DEFAULT_PACKET_SIZES,
  interventionsOf,
  longestPacketBytes,
  type Path,
  type PathOptions,
} from '../path.ts';
import { queueBytes } from '../queue.ts';
import { burstBytes } from '../udp.ts';
import { makeUplink, uplinkNamespaces } from '../uplink.ts';

/**
 * Makes a path of two TUN devices with the user-space link between them, for kernels without netem. Adds no delay or loss
 * before apply().
 * @throws MachineError if this machine does not allow namespaces or TUN devices.
 */
export async function withUserspacePath<T>(
  options: PathOptions,
  use: (path: Path) => Promise<T>,
): Promise<T> {
  const { python, prefix, signal, tracesFolder, ...end } = { ...DEFAULT_PACKET_SIZES, ...options };
  const { mtuBytes, offloads } = end;
  const longest = longestPacketBytes(end);
  return withPathAgent(
    { python, prefix, signal, namespaces: ['client', 'server', ...uplinkNamespaces(end)] },
    async (agent) => {
      await agent.openLink({
        client: PATH_DEVICE,
        server: PATH_DEVICE,
        longestPacketBytes: longest,
        segmentation: offloads === 'on',
      });
      for (const name of ['client', 'server'] as const) {
        await makeEnd(agent, { ...end, end: name });
      }
      await makeUplink(agent, end);
      const setTcp = tcpSetter(agent, end);
      await setTcp({});
      const handshakes = await watchHandshakes(agent);
      const tcpInfo = sampleTcpInfo(agent);
      const sizesUnder = mtuSetter(
        agent,
        end,
        (['client', 'server'] as const).map((name) => [name, PATH_DEVICE]),
      );
      let sizes: AppliedSizes = { mtuBytes, longestPacketBytes: longest };
      let hasEvent = false;
      return use({
        backend: 'userspace',
        agent,
        get mtuBytes() {
          return sizes.mtuBytes;
        },
        get longestPacketBytes() {
          return sizes.longestPacketBytes;
        },
        isSeeded: true,
        async apply(condition, load = {}) {
          const { keepsConnections = false, everything = false, captures = false } = load;
          await handshakes.begin();
          await tcpInfo.begin(load);
          hasEvent = condition.event !== undefined;
          sizes = await sizesUnder(condition);
          const { longestPacketBytes: most } = sizes;
          await agent.setLink({
            toServer: linkDirection(condition, 'toServer', most, tracesFolder),
            toClient: linkDirection(condition, 'toClient', most, tracesFolder),
            ...(condition.event && { event: linkEvent(condition.event) }),
            ...interventionsOf(load),
            keepsConnections,
            everything,
            captures,
          });
        },
        samples: agent.sampleLink,
        connections: handshakes.connections,
        answeredRandoms: handshakes.answeredRandoms,
        writeCapture: agent.writeCapture,
        writeTcpInfo: tcpInfo.write,
        setTcp,
        names: createNameServer(agent),
        async count() {
          await tcpInfo.end();
          const { toServer, toClient, event, processorMs } = await agent.countLink();
          return {
            toServer: countsOf(toServer),
            toClient: countsOf(toClient),
            ...(hasEvent && { event }),
            maxLatenessMs: Math.max(toServer.maxLatenessMs, toClient.maxLatenessMs),
            linkCpuMs: processorMs,
          };
        },
      });
    },
  );
}

/** A condition's settings for one direction of the link, which has half of the round trip. */
export function linkDirection(
  condition: SeededCondition,
  direction: PathDirection,
  longestBytes: number,
  tracesFolder?: string,
): LinkDirection {
  const { rttMs, jitterMs, lossPercent, burstLoss, seed, udp } = condition;
  const trace = traceOf(condition, direction);
  if (trace && tracesFolder === undefined) throw new Error(`no folder for ${trace.name}`);
  return {
    delayMs: rttMs / 2,
    jitterMs,
    rateKbps: trace ? null : limitKbps(condition, direction),
    ...(trace && { traceFile: path.resolve(inFolder(tracesFolder ?? '', trace.name)) }),
    queueBytes: queueBytes(condition, direction, longestBytes),
    lossPercent,
    burstLoss,
    ...(direction === 'toClient' &&
      condition.lostPacket !== undefined && { losesDataPackets: [condition.lostPacket] }),
    ...(udp && { udp: { ...udp, burstBytes: burstBytes(udp, longestBytes) } }),
    seed,
  };
}

function linkEvent({ kind, atMs, lastsMs }: PathEvent): LinkEvent {
  return {
    afterMs: atMs,
    cutMs: lastsMs ?? null,
    address: kind === 'address' ? OTHER_CLIENT_ADDRESS : null,
  };
}

function countsOf({ maxLatenessMs: _, ...counts }: LinkCounts): DirectionCounts {
  return counts;
}
