/** What tshark found in one packet, as `dissect.lua` prints it. Lengths are in bytes of the frame, offsets in bytes of a stream. */
export interface DissectedPacket {
  /** Its place in the file, from 1. */
  n: number;
  /** When it was captured: seconds since 1970, and nanoseconds. */
  s: number;
  ns: number;
  /** On the wire, and how much of it the file has. */
  bytes: number;
  capturedBytes: number;
  comments?: string[];
  /** The innermost IP packet; `start` is what precedes it. */
  ip?: { start: number; from: string; to: string; fragment?: boolean; id?: number };
  tcp?: TcpSegment;
  udp?: UdpDatagram;
  /** TLS records that ended in this packet. */
  records?: TlsRecord[];
  alerts?: { level: number; code?: number }[];
  /** HTTP/1.1 messages that ended in this packet. */
  http1?: Http1Message[];
  http2?: Http2Frame[];
  quic?: QuicPacket[];
}

interface Ports {
  from: number;
  to: number;
  /** tshark's number of the conversation. */
  stream: number;
  /** Offset in the frame, and length of the header. */
  start: number;
  headBytes: number;
  /** Of what the segment or datagram carries. */
  bytes: number;
}

export interface TcpSegment extends Ports {
  /** Counted from the beginning of the connection, modulo 2^32. */
  sequence: number;
  acknowledged: number;
  flags: number;
  windowBytes?: number;
  /** Its timestamps (RFC 7323): the sender's clock, and the receiver's last one. */
  sentAt?: number;
  echoes?: number;
  /** Edges of its selective acknowledgements, in their order (RFC 2018, RFC 2883). */
  sacks?: number[];
  signs?: TcpSign[];
}

/** What tshark's analysis of the sequence says. */
type TcpSign =
  | 'retransmission'
  | 'fast'
  | 'spurious'
  | 'out-of-order'
  | 'zero-window'
  | 'window-full';

interface UdpDatagram extends Ports {
  /** tshark's number of the QUIC connection. */
  connection?: number;
}

export interface TlsRecord {
  /** With its header. */
  bytes: number;
  /** Of its content; missing: it is sealed and could not be opened. */
  type?: number;
  sealed?: boolean;
  handshake?: HandshakeMessage[];
}

export interface HandshakeMessage {
  type: number;
  /** Without its header. */
  bytes?: number;
  version?: number;
  cipher?: number;
  group?: number;
  extensions?: number[];
  serverName?: string;
  protocols?: string[];
  /** Transport parameters of QUIC by their names (RFC 9000, section 18.2); ids in hex. */
  parameters?: Readonly<Record<string, number | string | boolean>>;
}

/** A request or a response of HTTP/1.1. */
export interface Http1Message {
  method?: string;
  path?: string;
  status?: number;
  /** As its Content-Length says, and of its chunks. */
  bodyBytes?: number;
  chunkBytes?: number;
}

/** A frame of HTTP/2, with its header; type -1: what begins a connection. */
export interface Http2Frame {
  type: number;
  bytes: number;
  /** Without its head and its padding. */
  contentBytes?: number;
  stream?: number;
  method?: string;
  path?: string;
  status?: number;
  /** Of GOAWAY. */
  error?: number;
}

export interface QuicPacket {
  bytes: number;
  /** 1: with a long header. */
  long?: number;
  /** By the numbers of version 1, in every version. */
  longType?: number;
  version?: number;
  /** Lengths of the connection ids that it names; of a long header the ids themselves, in hex. */
  toIdBytes?: number;
  fromIdBytes?: number;
  toId?: string;
  fromId?: string;
  /** Missing: its header could not be opened. */
  number?: number;
  /** With the tag that authenticates it. */
  payloadBytes?: number;
  /** It could not be opened. */
  closed?: boolean;
  frames?: QuicFrame[];
  handshake?: HandshakeMessage[];
}

export interface QuicFrame {
  type: number;
  bytes: number;
  stream?: number;
  offset?: number;
  /** Of what a STREAM or CRYPTO frame carries. */
  dataBytes?: number;
  /** Of a stream in both directions the same, in hex. */
  data?: string;
  /** 1: its stream ends with it. */
  ends?: number;
  /** Of an ACK: the largest packet number, the delay as sent, and first range, gap, range, gap, range ... */
  largest?: number;
  delay?: number;
  ranges?: number[];
  /** Of frames that set or meet a limit; of RESET_STREAM the final size. */
  most?: number;
  /** Of CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING. */
  error?: number;
  /** Of CONNECTION_CLOSE: why, and the type of the frame that was wrong. */
  reason?: string;
  cause?: number;
  /** Of NEW_CONNECTION_ID and RETIRE_CONNECTION_ID: the id's number, up to which others are to be retired, and itself in hex. */
  sequence?: number;
  retires?: number;
  id?: string;
}

/** Types of QUIC frames (RFC 9000, section 19). */
export const QUIC_FRAME = {
  padding: 0x00,
  ack: 0x02,
  ackWithEcn: 0x03,
  crypto: 0x06,
  firstStream: 0x08,
  lastStream: 0x0f,
  maxData: 0x10,
  pathChallenge: 0x1a,
  pathResponse: 0x1b,
  close: 0x1c,
  closeByApplication: 0x1d,
  handshakeDone: 0x1e,
} as const;

/** Types of long headers (RFC 9000, section 17.2), of version 2 too. */
export const LONG_PACKETS = ['Initial', '0-RTT', 'Handshake', 'Retry'] as const;

/** Flags of TCP (RFC 9293, section 3.1). */
export const TCP_FLAG = { fin: 0x01, syn: 0x02, reset: 0x04, push: 0x08, ack: 0x10 } as const;

/** Types of TLS records and of handshake messages (RFC 8446, sections 5.1 and 4). */
export const TLS_RECORD = { changeCipherSpec: 20, alert: 21, handshake: 22, data: 23 } as const;
export const HANDSHAKE = {
  clientHello: 1,
  serverHello: 2,
  newSessionTicket: 4,
  encryptedExtensions: 8,
  serverKeyExchange: 12,
  finished: 20,
} as const;

/** Types of HTTP frames (RFC 9113, section 6; RFC 9114, section 7.2): the same two in both. */
export const HTTP_FRAME = { data: 0, headers: 1 } as const;

export function isAck({ type }: QuicFrame): boolean {
  return type === QUIC_FRAME.ack || type === QUIC_FRAME.ackWithEcn;
}

export function isStream({ type }: QuicFrame): boolean {
  return type >= QUIC_FRAME.firstStream && type <= QUIC_FRAME.lastStream;
}

/** Whether it is of a connection that the attempt goes on with, and was sent before, as the comment of a capture of our own says. */
export function isEarlier({ comments = [] }: DissectedPacket): boolean {
  return comments.includes('before the attempt');
}

/** `ip:port` of the client as servers see it, where a capture of our own says that it is another one; undefined: it does not. */
export function clientOutside({ comments = [] }: DissectedPacket): string | undefined {
  return comments.map((comment) => /^servers see (\S+)$/.exec(comment)?.[1]).find(Boolean);
}

/** Whether the path lost it, as the comment of a capture of our own says. */
export function isLost({ comments = [] }: DissectedPacket): boolean {
  return comments.some((comment) => /^(lost|dropped)\b/.test(comment));
}
