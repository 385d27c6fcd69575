/** One packet as `dissect.lua` prints it. Lengths are bytes of the frame, offsets bytes of a stream. */
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
  /** The innermost IP packet; `start` is its offset. */
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
  /** Of the payload. */
  bytes: number;
}

export interface TcpSegment extends Ports {
  /** Relative to the connection's first one, modulo 2^32. */
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
  /** With its header. */
  bytes: number;
  /** Of its content; missing: not decrypted. */
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
  /** QUIC transport parameters by name (RFC 9000, section 18.2); ids in hex. */
  parameters?: Readonly<Record<string, number | string | boolean>>;
}

/** An HTTP/1.1 request or response. */
export interface Http1Message {
  method?: string;
  path?: string;
  status?: number;
  /** Its Content-Length, and its chunks. */
  bodyBytes?: number;
  chunkBytes?: number;
}

/** An HTTP/2 frame, with its header; type -1: the connection preface. */
export interface Http2Frame {
  type: number;
  bytes: number;
  /** Without header and padding. */
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
  /** 1: long header. */
  long?: number;
  /** Numbered as in version 1, in every version. */
  longType?: number;
  version?: number;
  /** Lengths of its connection ids; of a long header the ids themselves, in hex. */
  toIdBytes?: number;
  fromIdBytes?: number;
  toId?: string;
  fromId?: string;
  /** Missing: header protection not removed. */
  number?: number;
  /** With the authentication tag. */
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
  /** Of the data in a STREAM or CRYPTO frame. */
  dataBytes?: number;
  /** Data of a bidirectional stream, in hex. */
  data?: string;
  /** 1: end of the stream. */
  ends?: number;
  /** Of ACK: the largest packet number, the delay as sent, and first range, gap, range, gap, range ... */
  largest?: number;
  delay?: number;
  ranges?: number[];
  /** Of frames with a limit; of RESET_STREAM the final size. */
  most?: number;
  /** Of CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING. */
  error?: number;
  /** Of CONNECTION_CLOSE: the reason, and the type of the frame with the error. */
  reason?: string;
  cause?: number;
  /** Of NEW_CONNECTION_ID and RETIRE_CONNECTION_ID: sequence number, Retire Prior To, and the id in hex. */
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

/** Whether the comment of our own capture marks it as sent before the attempt, on a connection that the attempt continues. */
export function isEarlier({ comments = [] }: DissectedPacket): boolean {
  return comments.includes('before the attempt');
}

/** `ip:port` of the client as servers see it, if the comment of our own capture has another one; else undefined. */
export function clientOutside({ comments = [] }: DissectedPacket): string | undefined {
  return comments.map((comment) => /^servers see (\S+)$/.exec(comment)?.[1]).find(Boolean);
}

/** Whether the comment of our own capture marks it as lost by the path. */
export function isLost({ comments = [] }: DissectedPacket): boolean {
  return comments.some((comment) => /^(lost|dropped)\b/.test(comment));
}
