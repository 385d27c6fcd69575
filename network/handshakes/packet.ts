import type { TappedPacket } from '../agent.ts';
import type { Message } from './hello.ts';
import { Reader, readOrNull } from './reader.ts';

export interface Packet {
  /** When the kernel saw it, since 1970. */
  timeNs: bigint;
  toServer: boolean;
  transport: 'quic' | 'tcp';
  clientPort: number;
  /** `ip:port` of the server. */
  address: string;
  /** null: of UDP. */
  tcp: TcpHead | null;
  payload: Buffer;
}

export interface TcpHead {
  /** Where in its direction's stream the packet lies, modulo 2^32 and counted from a random number. */
  sequence: number;
  acknowledged: number;
  begins: boolean;
}

const TCP = 6;
const UDP = 17;
const SYN = 0x02;

/** Reads a packet from its IP header on (RFC 791, 768 and 9293); null: it is none of TCP or UDP, or too short. */
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
  segment.bytes(headBytes - 14);
  return { sequence, acknowledged, begins };
}

export interface Handshake {
  readonly first: Packet;
  /** Takes a later packet between the same ends; false: it begins another connection. */
  take(packet: Packet): boolean;
  clientMessages(): Message[];
  serverMessages(): Message[];
  /** What the server says after its hello, opened with its secret. */
  encryptedMessages(secret: Buffer): Message[];
  /** Whether something of the client came that ought to hold its hello. */
  readonly clientSpoke: boolean;
  /** The same of the server. A hello of which the path lost a part has not arrived, so that it ought not. */
  readonly serverSpoke: boolean;
  /** When the first bytes of the client's hello, and of the server's, were seen, since 1970; null: they were not. */
  readonly clientHelloNs: bigint | null;
  readonly serverHelloNs: bigint | null;
  /** The version of QUIC that the server's hello came in; null: TCP, or it was not seen. */
  readonly quicVersion: number | null;
}
