import { CommandFailed, type PathAgent } from '../network/agent.ts';
import type { EndManifest } from '../records/fairness.ts';
import { bothText, isOverQuic, isOverTcp, type Protocol } from '../records/protocol.ts';
import type { Reading } from '../records/reading.ts';
import type { StackReadings } from '../records/stack-readings.ts';
import type { Stack } from '../servers/stack.ts';
import type { Server } from './servers.ts';

/** A server that is ready, with what it said of itself. */
export type ReadyServer = Pick<Server, 'details' | 'origins' | 'shown'> & {
  stack: Pick<Stack, 'stack' | 'protocol' | 'settings'>;
};

/** What is known beside the server's own words. */
export interface ReadFrom {
  /** The servers' end of the path. */
  end: EndManifest;
  /** `ip:port` to the receive buffer of the UDP socket there, in bytes; null: not told. */
  sockets: ReadonlyMap<string, number> | null;
  /** Of a server that the run has started. */
  certificateChainBytes: number;
  /** What servers that run already on this machine have; null or absent: there are none. */
  machine?: EndManifest | null;
}

/** A stack's readings before the first load, in words that are the same for TCP and for QUIC. */
export function stackReadings(server: ReadyServer, from: ReadFrom): StackReadings {
  const { end, certificateChainBytes } = from;
  if (server.shown) return shownReadings(server.stack.protocol, server.shown, from);
  const { protocol } = server.stack;
  return {
    congestionControl: ofTransports(protocol, {
      quic: said(server, 'congestionControl', ', which says what was asked for'),
      tcp: end.tcpCongestionControl,
    }),
    initialWindowPackets: ofTransports(protocol, {
      quic: saidNumber(server),
      tcp: end.tcpInitialWindowSegments,
    }),
    pathMtuBytes: end.deviceMtuBytes,
    segmentsPerPacket: end.segmentsPerPacket,
    offloads: offloadsText(end.offloads),
    certificateChainBytes: {
      value: certificateChainBytes,
      from: "the certificates in the server's files",
    },
    serverProgram: said(server, 'program'),
    serverLanguage: said(server, 'language'),
    receiveBufferBytes: ofTransports(protocol, {
      quic: socketBuffer(server, from),
      tcp: initialBuffer(end),
    }),
  };
}

/** The reading of the transport that a protocol goes over; with both one value where they agree, else both as text. */
function ofTransports<T extends string | number>(
  protocol: Protocol,
  { quic, tcp }: Record<'quic' | 'tcp', Reading<T>>,
): Reading<string | number> {
  if (!isOverTcp(protocol)) return quic;
  if (!isOverQuic(protocol)) return tcp;
  const from = quic.from === tcp.from ? tcp.from : `QUIC: ${quic.from}; TCP: ${tcp.from}`;
  if (quic.value === null || tcp.value === null) return { value: null, from };
  return { value: quic.value === tcp.value ? tcp.value : bothText(quic.value, tcp.value), from };
}

/** Of a server that runs already: what it does not show, and the system does not tell, is not known. */
function shownReadings(
  protocol: Protocol,
  { program, certificateChainBytes, isHere }: NonNullable<Server['shown']>,
  { end, machine = null }: ReadFrom,
): StackReadings {
  const ofMachine = isHere ? machine : null;
  const untold = {
    value: null,
    from: isHere || !isOverTcp(protocol) ? 'not told by it' : 'not told: it is on another machine',
  };
  const withTcp = <T extends string | number>(tcp: Reading<T> | undefined) =>
    ofTransports<T>(protocol, { quic: untold, tcp: tcp ?? untold });
  return {
    congestionControl: withTcp(ofMachine?.tcpCongestionControl),
    initialWindowPackets: withTcp(ofMachine?.tcpInitialWindowSegments),
    // All of its packets cross the path's device, behind that of the machine.
    pathMtuBytes: end.deviceMtuBytes,
    segmentsPerPacket: ofMachine?.segmentsPerPacket ?? end.segmentsPerPacket,
    offloads: offloadsText(end.offloads),
    certificateChainBytes: {
      value: certificateChainBytes,
      from: 'the certificates that it sent when it was asked before the run',
    },
    serverProgram: { value: program, from: 'the server field of its answer' },
    serverLanguage: untold,
    receiveBufferBytes: withTcp(ofMachine ? initialBuffer(ofMachine) : undefined),
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
