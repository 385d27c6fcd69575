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
 * Sets up one end of the path in a namespace with only its device. tcpSetter() then sets its receive buffers.
 * @throws CommandError with the command's stderr
 */
export async function makeEnd(agent: Pick<PathAgent, 'run'>, end: PathEnd): Promise<void> {
  for (const command of commandsOfEnd(end)) await agent.run(end.end, command);
}

/** Initial TCP settings of the path, and the servers beyond it. */
type InitialTcp = TcpSettings & Pick<PathOptions, 'beyond'>;

/**
 * Returns a function that applies TCP settings to new connections (Path.setTcp). Applies only differences, because
 * each command takes processor time.
 * @param made settings of the ends, whose receive buffers are still the kernel's
 */
export function tcpSetter(
  agent: Pick<PathAgent, 'run'>,
  made: InitialTcp,
): (changes: Partial<TcpSettings>) => Promise<void> {
  const kernelBuffers = new Map<string, string>();
  /** null: unknown, because a command failed. */
  let set: InitialTcp | null = { ...made, receiveWindowBytes: null, receiveBufferBytes: null };
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
      const ofKernel = kernelBuffers.get(end) ?? (await readBuffers(agent, end));
      kernelBuffers.set(end, ofKernel);
      // A buffer that grows follows the route's window; a fixed one must hold the window from the start.
      await setSysctl(agent, end, BUFFER_AUTOTUNING, receiveWindowBytes === null ? '1' : '0');
      const bytes =
        receiveWindowBytes === null ? receiveBufferBytes : BUFFER_PER_WINDOW * receiveWindowBytes;
      await setBuffers(agent, end, bytes === null ? ofKernel : withInitialSize(bytes, ofKernel));
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

/** The setting has three numbers: minimum, initial and maximum size. */
async function readBuffers(agent: Pick<PathAgent, 'run'>, end: PathEnd['end']): Promise<string> {
  const printed = await agent.run(end, ['sysctl', '-n', RECEIVE_BUFFER]);
  return printed.trim().split(/\s+/).join(' ');
}

/** @throws NetworkError if the kernel keeps another size: a smaller window would look like a property of TCP */
async function setBuffers(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd['end'],
  expected: string,
): Promise<void> {
  await setSysctl(agent, end, RECEIVE_BUFFER, expected);
  const actual = await readBuffers(agent, end);
  if (actual === expected) return;
  throw new NetworkError(
    `${RECEIVE_BUFFER} at the ${end}'s end: expected "${expected}", the kernel has "${actual}". Choose a smaller buffer, or --receive-buffer stock.`,
  );
}

async function setSysctl(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd['end'],
  name: string,
  value: string,
): Promise<void> {
  await agent.run(end, ['sysctl', '-q', '-w', `${name}=${value}`]);
}

function withInitialSize(bytes: number, before: string): string {
  const [least = 0, , most = 0] = before.split(' ').map(Number);
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
