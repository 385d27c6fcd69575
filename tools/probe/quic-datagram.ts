import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CLIENT_HELLO, TLS_1_3 } from '../../network/handshakes/hello.ts';
import { encryptPacket, initialKeys } from '../../network/handshakes/packet-key.ts';
import { Reader, readOrNull } from '../../network/handshakes/reader.ts';
import { list, number, varint } from './datagrams.ts';

/** Minimum size of a client's first datagram (RFC 9000, section 14.1). */
export const DATAGRAM_BYTES = 1200;

const VERSION_1 = 1;
// Form 0x?a?a?a?a: servers have to answer it with version negotiation (RFC 9000, section 15).
const RESERVED_VERSION = 0x5a7a9ada;
const CONNECTION_ID_BYTES = 8;
const NUMBER_BYTES = 4;
const TAG_BYTES = 16;
const INITIAL = 0xc0;
const CRYPTO = 0x06;
const CLOSE = 0x1c;

/** The first datagram of a connection of version 1, and one that closes it. */
export function firstDatagrams(serverName: string | null): { hello: Buffer; close: Buffer } {
  const destination = randomBytes(CONNECTION_ID_BYTES);
  const source = randomBytes(CONNECTION_ID_BYTES);
  const keys = initialKeys(destination).client;
  const message = quicHello({ serverName, connectionId: source });
  const initial = (packetNumber: number, frames: Buffer): Buffer => {
    const untilLength = Buffer.concat([
      number(INITIAL | (NUMBER_BYTES - 1), 1),
      number(VERSION_1, 4),
      list(destination, 1),
      list(source, 1),
      varint(0), // No token.
    ]);
    const restBytes = DATAGRAM_BYTES - untilLength.length - 2;
    const head = Buffer.concat([
      untilLength,
      varint(restBytes),
      number(packetNumber, NUMBER_BYTES),
    ]);
    // PADDING frames are zeros.
    const padded = Buffer.alloc(restBytes - NUMBER_BYTES - TAG_BYTES);
    frames.copy(padded);
    return encryptPacket(head, padded, keys);
  };
  return {
    hello: initial(0, Buffer.concat([varint(CRYPTO), varint(0), varint(message.length), message])),
    close: initial(1, Buffer.concat([varint(CLOSE), varint(0), varint(0), varint(0)])),
  };
}

/** A datagram of a reserved version, as large as a first one. */
export function reservedVersionDatagram(): Buffer {
  const datagram = randomBytes(DATAGRAM_BYTES);
  const head = [
    number(INITIAL, 1),
    number(RESERVED_VERSION, 4),
    list(randomBytes(CONNECTION_ID_BYTES), 1),
    list(randomBytes(CONNECTION_ID_BYTES), 1),
  ];
  Buffer.concat(head).copy(datagram);
  return datagram;
}

const LONG_HEADER = 0x80;
const RETRY = 3;

/** Whether it is a Retry packet of version 1 (RFC 9000, section 17.2.5). */
export function isRetry(datagram: Buffer): boolean {
  const first = datagram[0] ?? 0;
  return (
    datagram.length >= 5 &&
    (first & LONG_HEADER) !== 0 &&
    datagram.readUInt32BE(1) === VERSION_1 &&
    ((first >> 4) & 3) === RETRY
  );
}

/** Versions in a Version Negotiation packet (RFC 9000, section 17.2.1), without reserved ones; null: another packet. */
export function offeredVersions(datagram: Buffer): number[] | null {
  return readOrNull(() => {
    const reader = new Reader(datagram);
    if ((reader.number(1) & LONG_HEADER) === 0 || reader.number(4) !== 0) return null;
    reader.list(1);
    reader.list(1);
    const versions: number[] = [];
    while (reader.left > 0) versions.push(reader.number(4));
    return versions.filter((version) => !isReserved(version));
  });
}

function isReserved(version: number): boolean {
  return (version & 0x0f0f0f0f) >>> 0 === 0x0a0a0a0a;
}

/** Name of a version in records: 1, 2, or hexadecimal digits. */
export function quicVersionName(version: number): string {
  if (version === VERSION_1) return '1';
  return version === 0x6b3343cf ? '2' : version.toString(16).padStart(8, '0');
}

interface HelloOptions {
  /** null: the host is an IP address. */
  serverName: string | null;
  /** The client's source connection id. */
  connectionId: Buffer;
}

// Numbers of IANA's registries.
const SUITES = [0x1301, 0x1302, 0x1303];
const GROUPS = { x25519: 29, secp256r1: 23, secp384r1: 24 };
const SIGNATURES = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601];
const LEGACY_VERSION = 0x0303;
const HOST_NAME = 0;
const PSK_WITH_KEY_EXCHANGE = 1;
const MAX_STREAM_BYTES = 16_000;

/** ClientHello of an HTTP/3 client, as a message (RFC 8446, section 4.1.2; RFC 9001, section 8). */
function quicHello({ serverName, connectionId }: HelloOptions): Buffer {
  const extensions = Buffer.concat([
    ...(serverName === null ? [] : [extension(0, serverNames(serverName))]),
    extension(10, list(numbers(Object.values(GROUPS)), 2)),
    extension(13, list(numbers(SIGNATURES), 2)),
    extension(16, list(list(Buffer.from('h3'), 1), 2)),
    extension(43, list(numbers([TLS_1_3]), 1)),
    extension(45, list(number(PSK_WITH_KEY_EXCHANGE, 1), 1)),
    extension(51, list(keyShare(), 2)),
    extension(57, transportParameters(connectionId)),
  ]);
  const body = Buffer.concat([
    number(LEGACY_VERSION, 2),
    randomBytes(32),
    list(Buffer.alloc(0), 1),
    list(numbers(SUITES), 2),
    list(number(0, 1), 1),
    list(extensions, 2),
  ]);
  return Buffer.concat([number(CLIENT_HELLO, 1), list(body, 3)]);
}

function extension(type: number, body: Buffer): Buffer {
  return Buffer.concat([number(type, 2), list(body, 2)]);
}

function numbers(values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => number(value, 2)));
}

function serverNames(name: string): Buffer {
  return list(Buffer.concat([number(HOST_NAME, 1), list(Buffer.from(name, 'latin1'), 2)]), 2);
}

function keyShare(): Buffer {
  const { x = '' } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
  return Buffer.concat([number(GROUPS.x25519, 2), list(Buffer.from(x, 'base64url'), 2)]);
}

/** RFC 9000, section 18: limits that let a server send. */
function transportParameters(connectionId: Buffer): Buffer {
  const limits: [id: number, value: number][] = [
    [0x04, MAX_STREAM_BYTES],
    [0x05, MAX_STREAM_BYTES],
    [0x06, MAX_STREAM_BYTES],
    [0x07, MAX_STREAM_BYTES],
    [0x08, 100],
    [0x09, 100],
  ];
  const parameter = (id: number, value: Buffer) =>
    Buffer.concat([varint(id), varint(value.length), value]);
  return Buffer.concat([
    ...limits.map(([id, value]) => parameter(id, varint(value))),
    parameter(0x0f, connectionId),
  ]);
}
