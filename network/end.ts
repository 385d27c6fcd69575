import { isDeepStrictEqual } from 'node:util';
import { NetworkError } from '../ground/system/errors.ts';
import { CLIENT_ADDRESS, commandsOfEnd, type PathEnd, routeCommand, words } from './addresses.ts';
import type { LoadOptions, NamespaceName, PathAgent, WriteResult } from './agent.ts';
import type { SeededCondition } from './conditions.ts';
import {
  longestPacketBytes,
  type PacketSizes,
  type Path,
  type PathOptions,
  type TcpSettings,
} from './path.ts';
import { uplinkRoutes } from './uplink.ts';

const RECEIVE_BUFFER = 'net.ipv4.tcp_rmem';
const BUFFER_AUTOTUNING = 'net.ipv4.tcp_moderate_rcvbuf';
/** The kernel's overhead is at most three quarters of a buffer. */
const BUFFER_PER_WINDOW = 4;

/**
 * Sets up one end of the path in a namespace with only its device.
 * @throws CommandError with the command's stderr
 */
export async function makeEnd(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd & Pick<PathOptions, 'receiveBufferBytes'>,
): Promise<void> {
  for (const command of commandsOfEnd(end)) await agent.run(end.end, command);
  const { receiveBufferBytes = null, receiveWindowBytes = null } = end;
  if (receiveBufferBytes !== null) await setInitialBuffers(agent, end.end, receiveBufferBytes);
  if (receiveWindowBytes !== null) await fixBuffers(agent, end.end, receiveWindowBytes);
}

/** Initial TCP settings of the path, and the servers beyond it. */
export type InitialTcp = TcpSettings & Pick<PathOptions, 'beyond'>;

/**
 * Returns a function that applies TCP settings to new connections (Path.setTcp). Applies only differences, because
 * each command takes processor time.
 */
export function tcpSetter(
  agent: Pick<PathAgent, 'run'>,
  made: InitialTcp,
): (changes: Partial<TcpSettings>) => Promise<void> {
  const buffersMade = new Map<string, string>();
  /** null: unknown, because a command failed. */
  let set: InitialTcp | null = made;
  return async (changes) => {
    const before = set;
    const settings = { ...made, ...changes };
    const { receiveWindowBytes = null, receiveBufferBytes = null } = settings;
    set = null;
    const routesBefore = before === null ? [] : routesOf(before);
    for (const route of routesOf(settings)) {
      if (!routesBefore.some((each) => isDeepStrictEqual(each, route))) await agent.run(...route);
    }
    for (const end of ['client', 'server'] as const) {
      const isSet =
        (before?.receiveWindowBytes ?? null) === receiveWindowBytes &&
        (before?.receiveBufferBytes ?? null) === receiveBufferBytes;
      if (before !== null && isSet) continue;
      const buffers =
        buffersMade.get(end) ?? (await agent.run(end, ['sysctl', '-n', RECEIVE_BUFFER]));
      buffersMade.set(end, buffers);
      await setSysctl(agent, end, RECEIVE_BUFFER, buffers.trim());
      const isAsMade = receiveBufferBytes === (made.receiveBufferBytes ?? null);
      if (receiveBufferBytes !== null && !isAsMade) {
        await setInitialBuffers(agent, end, receiveBufferBytes);
      }
      if (receiveWindowBytes !== null) await fixBuffers(agent, end, receiveWindowBytes);
      else await setSysctl(agent, end, BUFFER_AUTOTUNING, '1');
    }
    set = settings;
  };
}

export type AppliedSizes = Pick<Path, 'mtuBytes' | 'longestPacketBytes'>;

/** Returns a function that sets the MTU of these devices to a condition's. Applies only differences. */
export function mtuSetter(
  agent: Pick<PathAgent, 'run'>,
  made: PacketSizes,
  devices: readonly (readonly [NamespaceName, string])[],
): (condition: Pick<SeededCondition, 'mtuBytes'>) => Promise<AppliedSizes> {
  let set = made.mtuBytes;
  return async ({ mtuBytes = made.mtuBytes }) => {
    for (const [place, device] of mtuBytes === set ? [] : devices) {
      await agent.run(place, words(`ip link set ${device} mtu ${mtuBytes}`));
    }
    set = mtuBytes;
    return { mtuBytes, longestPacketBytes: longestPacketBytes({ ...made, mtuBytes }) };
  };
}

/** Commands for every route of a path, with their namespaces. */
function routesOf(settings: InitialTcp): Parameters<PathAgent['run']>[] {
  const ends = ['client', 'server'] as const;
  return [
    ...ends.map((end): Parameters<PathAgent['run']> => [end, routeCommand({ ...settings, end })]),
    ...uplinkRoutes(settings),
  ];
}

/** @throws NetworkError if the kernel keeps another size: a smaller window would look like a property of TCP */
async function setInitialBuffers(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd['end'],
  bytes: number,
): Promise<void> {
  const read = () => agent.run(end, ['sysctl', '-n', RECEIVE_BUFFER]);
  const expected = withInitialSize(bytes, await read());
  await setSysctl(agent, end, RECEIVE_BUFFER, expected);
  const actual = (await read()).trim().split(/\s+/).join(' ');
  if (actual === expected) return;
  throw new NetworkError(
    `${RECEIVE_BUFFER} at the ${end}'s end: expected "${expected}", the kernel has "${actual}". Choose a smaller buffer, or --receive-buffer stock.`,
  );
}

/** A buffer that grows follows the route's window; a fixed one must hold the window from the start. */
async function fixBuffers(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd['end'],
  windowBytes: number,
): Promise<void> {
  await setSysctl(agent, end, BUFFER_AUTOTUNING, '0');
  await setInitialBuffers(agent, end, BUFFER_PER_WINDOW * windowBytes);
}

async function setSysctl(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd['end'],
  name: string,
  value: string,
): Promise<void> {
  await agent.run(end, ['sysctl', '-q', '-w', `${name}=${value}`]);
}

/** The setting has three numbers: minimum, initial and maximum size. */
function withInitialSize(bytes: number, before: string): string {
  const [least = 0, , most = 0] = before.trim().split(/\s+/).map(Number);
  return [Math.min(least, bytes), bytes, Math.max(most, bytes)].join(' ');
}

interface TcpInfoSampler {
  begin(load: Partial<LoadOptions>): Promise<void>;
  end(): Promise<void>;
  /**
   * Writes the samples of the load, once.
   * @throws NetworkError if no sampling was begun
   */
  write(file: string): Promise<WriteResult>;
}

/** Samples TCP_INFO during loads that request it; other loads start no sampler. */
export function sampleTcpInfo(
  agent: Pick<PathAgent, 'beginTcpInfo' | 'endTcpInfo' | 'writeTcpInfo'>,
): TcpInfoSampler {
  let state: 'none' | 'going on' | 'ended' = 'none';
  const end = async () => {
    if (state !== 'going on') return;
    state = 'ended';
    await agent.endTcpInfo();
  };
  return {
    async begin({ tcpInfoMs = null, tcpInfoEnd = 'server', keepsConnections = false }) {
      if (tcpInfoMs === null) {
        await end();
        state = 'none';
        return;
      }
      state = 'none';
      await agent.beginTcpInfo({
        everyMs: tcpInfoMs,
        keepsConnections,
        end: tcpInfoEnd,
        client: CLIENT_ADDRESS,
      });
      state = 'going on';
    },
    end,
    async write(file) {
      // Samples of an earlier load must not pass for this one's.
      if (state === 'none') throw new NetworkError('TCP_INFO was not sampled');
      state = 'none';
      return agent.writeTcpInfo(file);
    },
  };
}
