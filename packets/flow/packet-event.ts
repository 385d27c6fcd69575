import type { CapturedPacket } from '../connections/capture-reader.ts';
import { alertClose, applicationClose, quicClose } from '../connections/closes.ts';
import type { Direction } from '../connections/wire-counts.ts';
import { flagNames, frameName, handshakeName, quicPacketName } from '../dissection/names.ts';
import {
  type DissectedPacket,
  HANDSHAKE,
  HTTP_FRAME,
  type Http2Frame,
  isAck,
  isLost,
  isStream,
  QUIC_FRAME,
  type QuicFrame,
  type QuicPacket,
  TCP_FLAG,
  type TcpSegment,
} from '../dissection/packet.ts';

/** Purpose of a packet; of several the first in this list. */
export const PACKET_KINDS = [
  'handshake',
  'request',
  'data',
  'close',
  'control',
  'acknowledgement',
] as const;
export type PacketKind = (typeof PACKET_KINDS)[number];

export interface PacketMessage {
  name: string;
  /** Type of the QUIC packet that holds the message. */
  within?: string;
  stream?: number;
}

export interface PacketEvent {
  direction: Direction;
  /** Capture time, in ms after the file's first packet. */
  atMs: number;
  kind: PacketKind;
  /** arrived, as far as known; resent: with retransmitted data, or data that fills a gap before later data. */
  fate: 'arrived' | 'resent' | 'lost';
  /** Length of the complete frame. */
  bytes: number;
  /** Length of the TCP or QUIC stream data. */
  dataBytes: number;
  /** Ids of streams of requests and responses. */
  streams: number[];
  says: PacketMessage[];
}

type EventContent = Pick<PacketEvent, 'kind' | 'dataBytes' | 'streams' | 'says'>;

export class EventReader {
  /** End of each side's data so far, by stream. */
  readonly #ends = new Map<string, number>();
  /** Purpose of lost packets, by the start of their data: tshark does not dissect retransmissions. */
  readonly #lost = new Map<string, EventContent>();
  #isHttp3 = false;

  read({ packet, atMs, againBytes }: CapturedPacket, direction: Direction): PacketEvent {
    const { tcp, quic = [], udp, bytes } = packet;
    const offered = quic.flatMap(({ handshake = [] }) => handshake);
    this.#isHttp3 ||= offered.some(({ protocols = [] }) => protocols.some(isHttp3));
    const opensRequests = direction === 'toServer' && this.#isHttp3;
    const content = tcp
      ? describeTcp(packet, tcp, direction)
      : describeQuic(quic, opensRequests, udp?.bytes ?? 0);
    const parts = partsOf(packet).map((part) => ({
      ...part,
      stream: `${direction} ${part.stream}`,
    }));
    const beginning = parts.map(({ stream, offset }) => `${stream} ${offset}`);
    if (isLost(packet)) {
      for (const key of beginning) this.#lost.set(key, content);
      return { direction, atMs, fate: 'lost', bytes, ...content };
    }
    const fillsGap = parts.map((part) => this.#fillsGap(part)).includes(true);
    const isAgain = againBytes > 0 || fillsGap || (tcp?.signs ?? []).some(isRetransmission);
    const before = beginning.map((key) => this.#lost.get(key)).find((known) => known);
    const known = isAgain && content.says.length === 0 && before ? before : content;
    const { dataBytes } = content;
    return {
      direction,
      atMs,
      fate: isAgain ? 'resent' : 'arrived',
      bytes,
      ...known,
      dataBytes,
    };
  }

  #fillsGap({ stream, offset, dataBytes, isCrypto }: DataPart): boolean {
    const end = this.#ends.get(stream) ?? offset;
    const isNew = offset >= end || end - offset > HALF_OF_SEQUENCE;
    this.#ends.set(stream, isNew ? offset + dataBytes : Math.max(end, offset + dataBytes));
    // Some clients send pieces of their ClientHello out of order.
    return dataBytes > 0 && !isNew && !isCrypto;
  }
}

interface DataPart {
  stream: string;
  offset: number;
  dataBytes: number;
  isCrypto: boolean;
}

function partsOf({ tcp, quic = [] }: DissectedPacket): DataPart[] {
  if (tcp) return [{ stream: 'tcp', offset: tcp.sequence, dataBytes: tcp.bytes, isCrypto: false }];
  return quic.flatMap((packet) =>
    (packet.frames ?? []).flatMap((frame) => {
      const { type, stream, offset = 0, dataBytes = 0 } = frame;
      const isCrypto = type === QUIC_FRAME.crypto;
      if (!isCrypto && !isStream(frame)) return [];
      return [
        { stream: isCrypto ? quicPacketName(packet) : `${stream}`, offset, dataBytes, isCrypto },
      ];
    }),
  );
}

/** Half of TCP's sequence numbers: a larger difference is a wrap. */
const HALF_OF_SEQUENCE = 2 ** 31;

/** Whether an ALPN name is HTTP/3's, or a draft's. */
function isHttp3(protocol: string): boolean {
  return /^h3\b/.test(protocol);
}

function isRetransmission(sign: string): boolean {
  return sign === 'retransmission' || sign === 'fast' || sign === 'spurious';
}

function describeTcp(
  packet: DissectedPacket,
  { flags, bytes }: TcpSegment,
  direction: Direction,
): EventContent {
  const { records = [], alerts = [], http2 = [] } = packet;
  const messages = records.flatMap(({ handshake = [] }) => handshake);
  const ends = flags & (TCP_FLAG.fin | TCP_FLAG.reset);
  const requests = direction === 'toServer' ? requestsOf(packet) : [];
  const says: PacketMessage[] = [
    ...(flags & TCP_FLAG.syn ? [{ name: flagNames(flags).join(', ') }] : []),
    ...messages.map(({ type }) => ({ name: handshakeName(type) })),
    ...requests,
    ...http2.flatMap(({ type }) => HTTP2_CONTROL[type] ?? []).map((name) => ({ name })),
    ...alerts.flatMap(({ code }) =>
      code === undefined ? [] : [{ name: `alert ${alertClose(code).name}` }],
    ),
    ...(ends ? [{ name: flagNames(ends).join(', ') }] : []),
  ];
  const streams = http2.filter(isOfStream).map(({ stream = 0 }) => stream);
  const isControl = http2.length > 0 && streams.length === 0;
  const kind = firstOf({
    handshake: (flags & TCP_FLAG.syn) !== 0 || messages.some(({ type }) => !isTicket(type)),
    request: requests.length > 0,
    data: bytes > 0 && !isControl && messages.length === 0 && alerts.length === 0,
    close: alerts.length > 0 || ends !== 0,
    control: bytes > 0,
  });
  return { kind, dataBytes: bytes, streams, says };
}

function requestsOf({ http1 = [], http2 = [] }: DissectedPacket): PacketMessage[] {
  return [...http1, ...http2].flatMap((message) => {
    const { method = 'request', path } = message;
    if (path === undefined) return [];
    const name = `${method} ${path}`;
    return ['stream' in message ? { name, stream: message.stream } : { name }];
  });
}

function isOfStream({ type, stream = 0 }: Http2Frame): boolean {
  return stream > 0 && (type === HTTP_FRAME.data || type === HTTP_FRAME.headers);
}

/** HTTP/2 frames of the connection (RFC 9113, section 6). */
const HTTP2_CONTROL: Record<number, string> = {
  3: 'RST_STREAM',
  4: 'SETTINGS',
  6: 'PING',
  7: 'GOAWAY',
  8: 'WINDOW_UPDATE',
};

/** Whether a handshake message is a session ticket, which follows the handshake. */
function isTicket(type: number): boolean {
  return type === HANDSHAKE.newSessionTicket;
}

/** @param opensRequests whether streams that begin are requests */
function describeQuic(
  packets: readonly QuicPacket[],
  opensRequests: boolean,
  datagramBytes: number,
): EventContent {
  const frames = packets.flatMap(({ frames: own = [] }) => own);
  const says = packets.flatMap((packet) => messagesOf(packet, opensRequests));
  const own = frames.filter((frame) => isStream(frame) && isOfRequest(frame));
  const isUnread = datagramBytes > 0 && frames.length === 0;
  const kind = firstOf({
    handshake: packets.some(isOfHandshake),
    request: opensRequests && own.some(({ offset = 0 }) => offset === 0),
    data: own.length > 0 || isUnread,
    close: frames.some(isClose),
    control: frames.some((frame) => !isAck(frame) && frame.type !== QUIC_FRAME.padding),
  });
  const dataBytes = frames
    .filter(isStream)
    .reduce((sum, { dataBytes: bytes = 0 }) => sum + bytes, 0);
  return {
    kind,
    dataBytes: isUnread ? datagramBytes : dataBytes,
    streams: own.map(({ stream = 0 }) => stream),
    says,
  };
}

function firstOf(does: Partial<Record<PacketKind, boolean>>): PacketKind {
  return PACKET_KINDS.find((kind) => does[kind]) ?? 'acknowledgement';
}

function isOfHandshake({ frames = [], handshake = [], long, longType }: QuicPacket): boolean {
  const isEarly = long === 1 && longType !== ZERO_RTT;
  return (
    handshake.some(({ type }) => !isTicket(type)) ||
    frames.some(
      ({ type }) => (isEarly && type === QUIC_FRAME.crypto) || type === QUIC_FRAME.handshakeDone,
    )
  );
}

const ZERO_RTT = 1;

function messagesOf(packet: QuicPacket, opensRequests: boolean): PacketMessage[] {
  const { frames = [], handshake = [] } = packet;
  const within = quicPacketName(packet);
  const isRetry = frames.length === 0 && packet.long === 1 && within !== 'Initial';
  return [
    ...(isRetry && !packet.closed ? [{ name: within }] : []),
    ...handshake.map(({ type }) => ({ name: handshakeName(type), within })),
    ...frames.flatMap((frame): PacketMessage[] => {
      if (isClose(frame)) return [{ name: `CONNECTION_CLOSE ${closeName(frame)}` }];
      if (isStream(frame)) {
        const { stream = 0, offset = 0 } = frame;
        const begins = opensRequests && isOfRequest(frame) && offset === 0;
        const early = within === '0-RTT' ? { within } : {};
        return begins ? [{ name: 'HEADERS', stream, ...early }] : [];
      }
      return SILENT_FRAMES.has(frame.type) ? [] : [{ name: frameName(frame) }];
    }),
  ];
}

/** Whether a frame belongs to a bidirectional stream of the client. */
function isOfRequest({ stream = 0 }: QuicFrame): boolean {
  return stream % 4 === 0;
}

function isClose({ type }: QuicFrame): boolean {
  return type === QUIC_FRAME.close || type === QUIC_FRAME.closeByApplication;
}

function closeName({ type, error = 0 }: QuicFrame): string {
  return (type === QUIC_FRAME.close ? quicClose(error) : applicationClose(error)).name;
}

/** Frames without a label: padding, PING, acknowledgements, and CRYPTO, whose messages have labels. */
const SILENT_FRAMES: ReadonlySet<number> = new Set([
  QUIC_FRAME.padding,
  1,
  QUIC_FRAME.ack,
  QUIC_FRAME.ackWithEcn,
  QUIC_FRAME.crypto,
]);
