import { type BrowserKind, browserKind } from '../ground/browser-kind.ts';
import type { CongestionControl } from '../ground/records/congestion-control.ts';
import type { EndManifest } from '../ground/records/fairness.ts';
import { bothText, isOverQuic, isOverTcp, type Protocol } from '../ground/records/protocol.ts';
import type { Reading } from '../ground/records/reading.ts';
import type { Sender } from '../ground/records/sender.ts';
import type { StackReadings } from '../ground/records/stack-readings.ts';
import type { ResponseOrder, Stack } from '../ground/stack.ts';
import { CommandError, type PathAgent } from '../network/agent.ts';
import { kernelSender } from '../network/kernel-congestion-control.ts';

import { QUIC_WINDOW_BYTES, tcpWindowBytes } from '../network/receive-window.ts';
import type { Server } from './servers.ts';

/** A ready server, with its ready line. */
export type ReadyServer = Pick<
  Server,
  'details' | 'origins' | 'shown' | 'certificateChainBytes'
> & {
  stack: Pick<
    Stack,
    'stack' | 'protocol' | 'browser' | 'settings' | 'transport' | 'responseOrders'
  >;
};

/** Sources of readings other than the ready line. */
interface ReadingSources {
  /** The servers' end of the path. */
  end: EndManifest;
  /** The client program, and its end of the path. */
  client: { name: string; end: EndManifest };
  /** `ip:port` and receive buffer of the UDP socket there, in bytes; null: unknown. */
  sockets: ReadonlyMap<string, number> | null;
  /** Machine of running servers on this machine; null or absent: no such servers. */
  machine?: EndManifest | null;
}

/** A stack's readings before the first load, in the same terms for TCP and QUIC. */
export function stackReadings(server: ReadyServer, from: ReadingSources): StackReadings {
  const { end } = from;
  if (server.shown) return runningServerReadings(server.stack, server.shown, from);
  const { protocol } = server.stack;
  const congestionControl = {
    quic: reportedText(server, 'congestionControl', ', which names the requested value'),
    tcp: end.tcpCongestionControl,
  };
  return {
    congestionControl: ofTransports(protocol, congestionControl),
    initialWindowPackets: ofTransports(protocol, {
      quic: reportedNumber(server),
      tcp: end.tcpInitialWindowSegments,
    }),
    ...senderReadings(protocol, {
      quic: quicSender(server, congestionControl.quic),
      tcp: tcpSender(end, server.stack),
    }),
    ...clientReadings(server.stack, from),
    ...orderReadings(server.stack),
    pathMtuBytes: end.deviceMtuBytes,
    segmentsPerPacket: end.segmentsPerPacket,
    offloads: offloadsText(end.offloads),
    certificateChainBytes: {
      value: server.certificateChainBytes ?? null,
      from: "the certificates in the server's files",
    },
    serverProgram: reportedText(server, 'program'),
    serverLibrary: reportedText(server, 'library'),
    serverLanguage: reportedText(server, 'language'),
    receiveBufferBytes: ofTransports(protocol, {
      quic: socketBuffer(server, from),
      tcp: initialBuffer(end),
    }),
  };
}

/** Reading of a protocol's transport; for both transports one value if they agree, else both as text. */
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

/** Readings of a server that was running before: unknown unless the server shows them or the system has them. */
function runningServerReadings(
  stack: ReadyServer['stack'],
  { program, certificateChainBytes, isHere }: NonNullable<Server['shown']>,
  from: ReadingSources,
): StackReadings {
  const { protocol } = stack;
  const { end, machine = null } = from;
  const ofMachine = isHere ? machine : null;
  const notReported = {
    value: null,
    from:
      isHere || !isOverTcp(protocol) ? 'not reported' : 'not reported: it is on another machine',
  };
  const withTcp = <T extends string | number>(tcp: Reading<T> | undefined) =>
    ofTransports<T>(protocol, { quic: notReported, tcp: tcp ?? notReported });
  return {
    congestionControl: withTcp(ofMachine?.tcpCongestionControl),
    initialWindowPackets: withTcp(ofMachine?.tcpInitialWindowSegments),
    ...senderReadings(protocol, {
      quic: { sender: undefined, unknown: notReported.from },
      tcp: ofMachine ? tcpSender(ofMachine) : { sender: undefined, unknown: notReported.from },
    }),
    ...clientReadings(stack, from),
    ...orderReadings({ protocol }),
    // All of its packets cross the path's device, after that of the machine.
    pathMtuBytes: end.deviceMtuBytes,
    segmentsPerPacket: ofMachine?.segmentsPerPacket ?? end.segmentsPerPacket,
    offloads: offloadsText(end.offloads),
    certificateChainBytes: {
      value: certificateChainBytes,
      from: 'the certificates that it sent before the run',
    },
    serverProgram: { value: program, from: 'the server field of its response' },
    serverLanguage: notReported,
    receiveBufferBytes: withTcp(ofMachine ? initialBuffer(ofMachine) : undefined),
  };
}

/** A sender, from its source code. */
interface KnownSender {
  sender: Sender | undefined;
  /** When the device decides whether it paces. */
  pacing?: Reading<string>;
  /** Why the sender is unknown. */
  unknown: string;
}

function quicSender({ stack }: ReadyServer, { value, from }: Reading<string>): KnownSender {
  return {
    sender: stack.transport?.senders[value as CongestionControl],
    unknown: value === null ? from : `not known of ${value}`,
  };
}

function tcpSender(
  { tcpCongestionControl, queueingDiscipline }: EndManifest,
  { settings }: Pick<Stack, 'settings'> = {},
): KnownSender {
  const { value, from } = tcpCongestionControl;
  const discipline = queueingDiscipline.value;
  return {
    sender: value === null ? undefined : kernelSender(value),
    pacing: settings?.pacesTcp
      ? { value: yesOrNo(true), from: 'SO_MAX_PACING_RATE, set on its listening sockets' }
      : {
          value: discipline === null ? null : yesOrNo(discipline === 'fq'),
          from: `${queueingDiscipline.from}: fq paces, no other queueing discipline does`,
        },
    unknown: value === null ? from : `not known of ${value}`,
  };
}

/** How senders treat their windows: from their source code, as no system reports it. */
function senderReadings(
  protocol: Protocol,
  { quic, tcp }: Record<'quic' | 'tcp', KnownSender>,
): StackReadings {
  const ofSenders = (read: (sender: Sender, known: KnownSender) => Reading<string>) => {
    const readingOf = (known: KnownSender) =>
      known.sender ? read(known.sender, known) : { value: null, from: known.unknown };
    return ofTransports(protocol, { quic: readingOf(quic), tcp: readingOf(tcp) });
  };
  return {
    windowGrowth: ofSenders(({ windowGrowth, source }) => fromSource(windowGrowth, source)),
    lossBackOff: ofSenders(({ lossBackOff, source }) => fromSource(lossBackOff, source)),
    pacing: ofSenders(({ isPaced, source }, { pacing }) =>
      isPaced === null && pacing
        ? pacing
        : fromSource(isPaced === null ? null : yesOrNo(isPaced), source),
    ),
  };
}

function fromSource<T>(value: T | null, source: string): Reading<T> {
  return { value, from: `known from source: ${source}` };
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

const WINDOW_SOURCES: Readonly<Record<BrowserKind, string>> = {
  chromium: 'net/quic/quic_context.cc of Chromium',
  firefox: 'network.http.http3.max_data of Firefox',
};

/** Initial receive windows of the client. */
function clientReadings(
  { protocol, browser }: ReadyServer['stack'],
  { client: { name, end } }: ReadingSources,
): StackReadings {
  const { value, from } = end.tcpReceiveBufferBytes;
  const kind = browserKind(browser);
  return {
    clientReceiveWindowBytes: ofTransports<number>(protocol, {
      quic:
        name === 'chromium'
          ? fromSource(QUIC_WINDOW_BYTES[kind], WINDOW_SOURCES[kind])
          : { value: null, from: `not known of the client ${name}` },
      tcp: {
        value: value === null ? null : tcpWindowBytes(value.initial),
        from: `half of the initial buffer of the client, ${from}`,
      },
    }),
  };
}

/** HTTP/1 sends responses one after the other on each connection; without HTTP there are no responses. */
function orderReadings({
  protocol,
  responseOrders = {},
  settings,
}: Pick<Stack, 'protocol' | 'responseOrders' | 'settings'>): StackReadings {
  if (['tcp', 'tls', 'quic'].includes(protocol)) return {};
  if (protocol === 'http/1.0' || protocol === 'http/1.1') {
    return { responseOrder: { value: 'one at a time', from: 'RFC 9112, section 9.3' } };
  }
  const readingOf = (order: ResponseOrder | undefined): Reading<string> =>
    order
      ? { value: order, from: 'known from a test: test/e2e/response-order.test.ts' }
      : { value: null, from: NOT_REPORTED };
  return {
    responseOrder: ofTransports(protocol, {
      quic: readingOf(responseOrders.h3),
      tcp: readingOf(settings?.responseOrder ?? responseOrders.h2),
    }),
  };
}

const SOCKETS_COMMAND = ['ss', '-H', '-u', '-a', '-n', '-m'];

/** The UDP sockets at the servers' end; null: this system's `ss` does not report them. */
export async function udpSockets(
  agent: Pick<PathAgent, 'run'>,
): Promise<ReadonlyMap<string, number> | null> {
  try {
    return parseSockets(await agent.run('server', SOCKETS_COMMAND));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // Without ss the reading is unknown.
    return null;
  }
}

/** `ip:port` and receive buffer in bytes, from the output of `ss -uanm`. */
export function parseSockets(output: string): ReadonlyMap<string, number> {
  const sockets = output.matchAll(
    /^\S+\s+\d+\s+\d+\s+(\S+:\d+)\s[^\n]*\n?[^\n]*?skmem:\(r\d+,rb(\d+)/gm,
  );
  return new Map([...sockets].map(([, address = '', bytes]) => [address, Number(bytes)]));
}

function socketBuffer({ origins }: ReadyServer, { sockets }: ReadingSources): Reading<number> {
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

/** A user's own program need not report anything. */
const NOT_REPORTED = 'not reported by the server';

/** @param how caveat of such a reading */
function reportedText({ details }: ReadyServer, name: string, how = ''): Reading<string> {
  const value = details[name];
  return value === undefined
    ? { value: null, from: NOT_REPORTED }
    : { value, from: `${READY_LINE}${how}` };
}

function reportedNumber(server: ReadyServer): Reading<number> {
  const text = reportedText(
    server,
    'initialWindowPackets',
    ': the window of a connection after its handshake',
  );
  const packets = Number(text.value);
  if (Number.isInteger(packets) && packets > 0) return { ...text, value: packets };
  const { initialWindowPackets = null, initialWindowSource } = server.stack.transport ?? {};
  if (initialWindowSource === undefined) return { ...text, value: null };
  return fromSource(initialWindowPackets, initialWindowSource);
}

/** Only offloads that let a packet on the path differ from the sender's. */
function offloadsText({ value, from }: Reading<Record<string, boolean>>): Reading<string> {
  if (value === null) return { value: null, from };
  const on = Object.keys(value).filter(
    (name) => value[name] && /segmentation|-gro|-lro/.test(name),
  );
  return { value: on.sort().join(', ') || 'none', from };
}
