/** One packet as `dissect.lua` prints it. */
export interface DissectedPacket {
  /** Number in the file, from 1. */
  n: number;
  /** Capture time: seconds since 1970, and nanoseconds. */
  s: number;
  ns: number;
  /** Bytes on the wire, and bytes in the file. */
  bytes: number;
  capturedBytes: number;
  comments?: string[];
  /** The innermost IP packet; `start` is its offset in the frame. */
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
  /** tshark's stream number. */
  stream: number;
  /** Offset in the frame, and length of the header. */
  start: number;
  headBytes: number;
  /** Payload. */
  bytes: number;
}

export interface TcpSegment extends Ports {
  /** Sequence number relative to the connection's first, modulo 2^32. */
  sequence: number;
  acknowledged: number;
  flags: number;
  windowBytes?: number;
  /** Timestamps (RFC 7323): the sender's clock, and the last one received. */
  sentAt?: number;
  echoes?: number;
  /** Edges of selective acknowledgements, in order (RFC 2018, RFC 2883). */
  sacks?: number[];
  signs?: TcpSign[];
}

/** tshark's analysis of the sequence. */
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
  /** Length with header. */
  bytes: number;
  /** Type of the content; missing: not decrypted. */
  type?: number;
  sealed?: boolean;
  handshake?: HandshakeMessage[];
}

export interface HandshakeMessage {
  type: number;
  /** Length without header. */
  bytes?: number;
  version?: number;
  cipher?: number;
  group?: number;
  extensions?: number[];
  serverName?: string;
  protocols?: string[];
  /** QUIC transport parameters by name (RFC 9000, section 18.2); ids in hex. */
  parameters?: Readonly<Record<string, number | string | boolean>>;
}

/** An HTTP/1.1 request or response. */
export interface Http1Message {
  method?: string;
  path?: string;
  status?: number;
  /** Content-Length, and bytes in chunks. */
  bodyBytes?: number;
  chunkBytes?: number;
}

/** An HTTP/2 frame; `bytes` includes its header. Type -1: the connection preface. */
export interface Http2Frame {
  type: number;
  bytes: number;
  /** Length without header and padding. */
  contentBytes?: number;
  stream?: number;
  method?: string;
  path?: string;
  status?: number;
  /** Error code of GOAWAY. */
  error?: number;
}

export interface QuicPacket {
  bytes: number;
  /** 1: long header. */
  long?: number;
  /** Packet type of a long header, numbered as in version 1. */
  longType?: number;
  version?: number;
  /** Lengths of the connection ids; `toId` and `fromId`, in hex, only of a long header. */
  toIdBytes?: number;
  fromIdBytes?: number;
  toId?: string;
  fromId?: string;
  /** Packet number; missing: header protection not removed. */
  number?: number;
  /** Length of the payload with the authentication tag. */
  payloadBytes?: number;
  /** Not decrypted. */
  closed?: boolean;
  frames?: QuicFrame[];
  handshake?: HandshakeMessage[];
}

export interface QuicFrame {
  type: number;
  bytes: number;
  stream?: number;
  offset?: number;
  /** Length of the data in a STREAM or CRYPTO frame. */
  dataBytes?: number;
  /** Data of a bidirectional stream, in hex. */
  data?: string;
  /** 1: end of the stream. */
  ends?: number;
  /** ACK: the largest packet number, the delay as sent, and first range, gap, range, gap, range ... */
  largest?: number;
  delay?: number;
  ranges?: number[];
  /** The limit in a frame of flow control; RESET_STREAM: the final size. */
  most?: number;
  /** Error code of CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING. */
  error?: number;
  /** CONNECTION_CLOSE: the reason, and the type of the frame with the error. */
  reason?: string;
  cause?: number;
  /** NEW_CONNECTION_ID and RETIRE_CONNECTION_ID: sequence number, Retire Prior To, and the id in hex. */
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

/** HTTP frame types (RFC 9113, section 6; RFC 9114, section 7.2): the same two in both. */
export const HTTP_FRAME = { data: 0, headers: 1 } as const;

export function isAck({ type }: QuicFrame): boolean {
  return type === QUIC_FRAME.ack || type === QUIC_FRAME.ackWithEcn;
}

export function isStream({ type }: QuicFrame): boolean {
  return type >= QUIC_FRAME.firstStream && type <= QUIC_FRAME.lastStream;
}

/** Whether the comment of our own capture marks a packet of a reused connection as sent before the attempt. */
export function isEarlier({ comments = [] }: DissectedPacket): boolean {
  return comments.includes('before the attempt');
}

/** `ip:port` of the client as servers see it, from the comment of our own capture; undefined: the packet's own. */
export function clientOutside({ comments = [] }: DissectedPacket): string | undefined {
  return comments.map((comment) => /^servers see (\S+)$/.exec(comment)?.[1]).find(Boolean);
}

/** Whether the comment of our own capture marks a packet as lost by the path. */
export function isLost({ comments = [] }: DissectedPacket): boolean {
  return comments.some((comment) => /^(lost|dropped)\b/.test(comment));
}
