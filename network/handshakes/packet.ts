import type { TappedPacket } from '../agent.ts';
import type { Message } from './hello.ts';
import { Reader, readOrNull } from './reader.ts';

export interface Packet {
  /** Time of the kernel, since 1970. */
  timeNs: bigint;
  toServer: boolean;
  transport: 'quic' | 'tcp';
  clientPort: number;
  /** `ip:port` of the server. */
  address: string;
  /** null: UDP. */
  tcp: TcpHead | null;
  payload: Buffer;
}

export interface TcpHead {
  /** Sequence number: position in the direction's stream, modulo 2^32, from a random start. */
  sequence: number;
  acknowledged: number;
  begins: boolean;
  /** Receive window, not scaled. */
  window: number;
  options: Buffer;
}

const TCP = 6;
const UDP = 17;
const SYN = 0x02;
/** Of a TCP header without options. */
const FIXED_HEAD_BYTES = 20;

/** Parses a packet from its IP header on (RFC 791, 768 and 9293); null: neither TCP nor UDP, or too short. */
export function readPacket({ toServer, timeNs, bytes }: TappedPacket): Packet | null {
  return readOrNull(() => {
    const ip = new Reader(bytes);
    const first = ip.number(1);
    ip.bytes(1);
    const lengthBytes = ip.number(2);
    ip.bytes(5);
    const protocol = ip.number(1);
    ip.bytes(2);
    const [from, to] = [ip.bytes(4).join('.'), ip.bytes(4).join('.')];
    if (first >> 4 !== 4 || (protocol !== TCP && protocol !== UDP)) return null;
    const segment = new Reader(bytes.subarray((first & 15) * 4, lengthBytes));
    const [fromPort, toPort] = [segment.number(2), segment.number(2)];
    const transport = protocol === TCP ? 'tcp' : 'quic';
    const tcp = protocol === TCP ? readTcpHead(segment) : null;
    if (tcp === null) segment.bytes(4);
    return {
      timeNs,
      toServer,
      transport,
      tcp,
      clientPort: toServer ? fromPort : toPort,
      address: toServer ? `${to}:${toPort}` : `${from}:${fromPort}`,
      payload: segment.bytes(segment.left),
    };
  });
}

function readTcpHead(segment: Reader): TcpHead {
  const [sequence, acknowledged] = [segment.number(4), segment.number(4)];
  const headBytes = (segment.number(1) >> 4) * 4;
  const begins = (segment.number(1) & SYN) !== 0;
  const window = segment.number(2);
  segment.bytes(4);
  const options = segment.bytes(headBytes - FIXED_HEAD_BYTES);
  return { sequence, acknowledged, begins, window, options };
}

export interface Handshake {
  readonly first: Packet;
  /** Adds a later packet between the same ends; false: it begins another connection. */
  take(packet: Packet): boolean;
  clientMessages(): Message[];
  serverMessages(): Message[];
  /** Packets in which the first `count` bytes of the client's messages left, and payload of the first. */
  sentIn(count: number): { packets: number; firstPacketBytes: number };
  /** The server's messages after its hello, decrypted with its secret. */
  encryptedMessages(secret: Buffer): Message[];
  /** Whether a packet of the client arrived that should hold its hello. */
  readonly clientSpoke: boolean;
  /** Whether a packet of the server arrived that should hold its hello; false if the path lost a part of that. */
  readonly serverSpoke: boolean;
  /** Time of the first bytes of the client's and the server's hello, since 1970; null: not captured. */
  readonly clientHelloNs: bigint | null;
  readonly serverHelloNs: bigint | null;
  /** QUIC version of the server's hello; null: TCP, or not captured. */
  readonly quicVersion: number | null;
}
