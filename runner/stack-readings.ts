import { CommandFailed, type PathAgent } from '../network/agent.ts';
import type { EndManifest } from '../records/fairness.ts';
import { isOverQuic } from '../records/protocol.ts';
import type { Reading } from '../records/reading.ts';
import type { StackReadings } from '../records/stack-readings.ts';
import type { Stack } from '../servers/stack.ts';
import type { Server } from './servers.ts';

/** A server that is ready, with what it said of itself. */
export type ReadyServer = Pick<Server, 'details' | 'origins'> & {
  stack: Pick<Stack, 'stack' | 'protocol' | 'settings'>;
};

/** What is known beside the server's own words. */
export interface ReadFrom {
  /** The servers' end of the path. */
  end: EndManifest;
  /** `ip:port` to the receive buffer of the UDP socket there, in bytes; null: not told. */
  sockets: ReadonlyMap<string, number> | null;
  certificateChainBytes: number;
}

/** A stack's readings before the first load, in words that are the same for TCP and for QUIC. */
export function stackReadings(server: ReadyServer, from: ReadFrom): StackReadings {
  const { end, certificateChainBytes } = from;
  const isQuic = isOverQuic(server.stack.protocol);
  return {
    congestionControl: isQuic
      ? said(server, 'congestionControl', ', which says what was asked for')
      : end.tcpCongestionControl,
    initialWindowPackets: isQuic ? saidNumber(server) : end.tcpInitialWindowSegments,
    pathMtuBytes: end.deviceMtuBytes,
    segmentsPerPacket: end.segmentsPerPacket,
    offloads: offloadsText(end.offloads),
    certificateChainBytes: {
      value: certificateChainBytes,
      from: "the certificates in the server's files",
    },
    serverProgram: said(server, 'program'),
    serverLanguage: said(server, 'language'),
    receiveBufferBytes: isQuic ? socketBuffer(server, from) : initialBuffer(end),
  };
}

const SOCKETS_COMMAND = ['ss', '-H', '-u', '-a', '-n', '-m'];

/** The UDP sockets at the servers' end; null: this system's `ss` does not tell. */
export async function udpSockets(
  agent: Pick<PathAgent, 'run'>,
): Promise<ReadonlyMap<string, number> | null> {
  try {
    return parseSockets(await agent.run('server', SOCKETS_COMMAND));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    // Not every system has ss; the reading says then that it is not known.
    return null;
  }
}

/** `ip:port` to receive buffer in bytes, from what `ss -uanm` prints. */
export function parseSockets(output: string): ReadonlyMap<string, number> {
  const sockets = output.matchAll(
    /^\S+\s+\d+\s+\d+\s+(\S+:\d+)\s[^\n]*\n?[^\n]*?skmem:\(r\d+,rb(\d+)/gm,
  );
  return new Map([...sockets].map(([, address = '', bytes]) => [address, Number(bytes)]));
}

function socketBuffer({ origins }: ReadyServer, { sockets }: ReadFrom): Reading<number> {
  const sizes = Object.values(origins).map((address) => sockets?.get(address));
  const known = sizes.filter((size) => size !== undefined);
  const complete = known.length > 0 && known.length === sizes.length;
  return {
    value: complete ? Math.min(...known) : null,
    from: `${SOCKETS_COMMAND.join(' ')}, smallest of the server's sockets`,
  };
}

function initialBuffer({ tcpReceiveBufferBytes: { value, from } }: EndManifest): Reading<number> {
  return { value: value?.initial ?? null, from: `${from}, at first; it grows` };
}

export const READY_LINE = "the server's ready line";

/** A program of the user's own need not say anything of itself. */
const NOT_TOLD = 'not told by the server';

/** @param how what has to be known of such a reading */
function said({ details }: ReadyServer, name: string, how = ''): Reading<string> {
  const value = details[name];
  return value === undefined
    ? { value: null, from: NOT_TOLD }
    : { value, from: `${READY_LINE}${how}` };
}

function saidNumber(server: ReadyServer): Reading<number> {
  const text = said(
    server,
    'initialWindowPackets',
    ': the window of a connection after its handshake',
  );
  const packets = Number(text.value);
  return { ...text, value: Number.isInteger(packets) && packets > 0 ? packets : null };
}

/** Only those that let a packet on the path be another one than the sender made. */
function offloadsText({ value, from }: Reading<Record<string, boolean>>): Reading<string> {
  if (value === null) return { value: null, from };
  const on = Object.keys(value).filter(
    (name) => value[name] && /segmentation|-gro|-lro/.test(name),
  );
  return { value: on.sort().join(', ') || 'none', from };
}
