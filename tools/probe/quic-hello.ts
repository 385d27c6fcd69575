import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CLIENT_HELLO, TLS_1_3 } from '../../network/handshakes/hello.ts';
import { list, number, varint } from './writer.ts';

/** What a client says of itself. */
interface Said {
  /** null: it names no host, because it asks an address. */
  serverName: string | null;
  /** The connection id that it chose for itself. */
  connectionId: Buffer;
}

// Numbers of IANA's registries.
const SUITES = [0x1301, 0x1302, 0x1303];
const GROUPS = { x25519: 29, secp256r1: 23, secp384r1: 24 };
const SIGNATURES = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601];
const LEGACY_VERSION = 0x0303;
const HOST_NAME = 0;
const PSK_WITH_KEY_EXCHANGE = 1;
const MOST_OF_A_STREAM_BYTES = 16_000;

/** The ClientHello of a client that would speak HTTP/3, as a message (RFC 8446, section 4.1.2; RFC 9001, section 8). */
export function quicHello({ serverName, connectionId }: Said): Buffer {
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

/** RFC 9000, section 18: as much as a server needs to send something. */
function transportParameters(connectionId: Buffer): Buffer {
  const limits: [id: number, value: number][] = [
    [0x04, MOST_OF_A_STREAM_BYTES],
    [0x05, MOST_OF_A_STREAM_BYTES],
    [0x06, MOST_OF_A_STREAM_BYTES],
    [0x07, MOST_OF_A_STREAM_BYTES],
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
