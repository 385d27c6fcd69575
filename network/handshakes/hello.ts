import { TRANSPORT_PARAMETERS } from '../../ground/records/client-transports.ts';
import { Reader, readOrNull } from './reader.ts';

/** ClientHello (RFC 8446, section 4.1.2). */
export interface ClientHello {
  /** In hex: the key log's name of the connection. */
  random: string;
  sessionId: Buffer;
  /** null: the client named no host. */
  serverName: string | null;
  /** ALPN. */
  protocols: string[];
  offered: 'full' | 'resumption' | 'early-data';
  /** Numbers that QUIC is offered, by name (RFC 9000, section 18); null: none, or damaged. */
  transportParameters: Record<string, number> | null;
}

/** ServerHello (RFC 8446, section 4.1.3; RFC 5246, section 7.4.1.3). */
export interface ServerHello {
  /** It is a HelloRetryRequest. */
  retries: boolean;
  version: number;
  cipherSuite: number;
  sessionId: Buffer;
  /** Index of the ticket that it accepted, by TLS 1.3; null: no ticket. */
  ticket: number | null;
}

export interface Message {
  type: number;
  body: Buffer;
}

/** Type and length. */
export const MESSAGE_HEAD_BYTES = 4;
export const CLIENT_HELLO = 1;
export const SERVER_HELLO = 2;
export const ENCRYPTED_EXTENSIONS = 8;
export const TLS_1_3 = 0x0304;

// Extension numbers of IANA's registry.
const SERVER_NAME = 0;
const PROTOCOLS = 16;
const SESSION_TICKET = 35;
const PRE_SHARED_KEY = 41;
const EARLY_DATA = 42;
const SUPPORTED_VERSIONS = 43;
const QUIC_PARAMETERS = 57;

// The random of a HelloRetryRequest (RFC 8446, section 4.1.3).
const RETRY_RANDOM = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';
const RANDOM_BYTES = 32;

/** Splits a handshake stream into its complete messages. */
export function readMessages(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  const reader = new Reader(bytes);
  for (;;) {
    const message = readOrNull(() => ({ type: reader.number(1), body: reader.list(3) }));
    if (message === null) return messages;
    messages.push(message);
  }
}

/** null: damaged. */
export function readClientHello(body: Buffer): ClientHello | null {
  return readOrNull(() => {
    const reader = new Reader(body);
    reader.bytes(2);
    const random = reader.bytes(RANDOM_BYTES).toString('hex');
    const sessionId = reader.list(1);
    reader.list(2);
    reader.list(1);
    const extensions = readExtensions(reader);
    return {
      random,
      sessionId,
      serverName: serverNameOf(extensions.get(SERVER_NAME)),
      protocols: protocolsOf(extensions.get(PROTOCOLS)),
      offered: offerOf(extensions),
      transportParameters: transportParametersOf(extensions.get(QUIC_PARAMETERS)),
    };
  });
}

/** null: damaged. */
export function readServerHello(body: Buffer): ServerHello | null {
  return readOrNull(() => {
    const reader = new Reader(body);
    const oldVersion = reader.number(2);
    const retries = reader.bytes(RANDOM_BYTES).toString('hex') === RETRY_RANDOM;
    const sessionId = reader.list(1);
    const cipherSuite = reader.number(2);
    reader.bytes(1);
    const extensions = readExtensions(reader);
    const version = extensions.get(SUPPORTED_VERSIONS)?.readUInt16BE(0) ?? oldVersion;
    const ticket = extensions.get(PRE_SHARED_KEY)?.readUInt16BE(0) ?? null;
    return { retries, version, cipherSuite, sessionId, ticket };
  });
}

/** Whether the server's encrypted extensions accept early data; null: damaged. */
export function acceptsEarlyData(body: Buffer): boolean | null {
  return readOrNull(() => readExtensions(new Reader(body)).has(EARLY_DATA));
}

/** Transport parameters of QUIC in the server's encrypted extensions; null: none, or damaged. */
export function readServerParameters(body: Buffer): Record<string, number> | null {
  return readOrNull(() =>
    transportParametersOf(readExtensions(new Reader(body)).get(QUIC_PARAMETERS)),
  );
}

function readExtensions(reader: Reader): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  if (reader.left === 0) return found; // TLS 1.2 may omit the list.
  const list = new Reader(reader.list(2));
  while (list.left > 0) found.set(list.number(2), list.list(2));
  return found;
}

function serverNameOf(extension: Buffer | undefined): string | null {
  if (extension === undefined) return null;
  const names = new Reader(new Reader(extension).list(2));
  names.bytes(1);
  return names.list(2).toString('latin1');
}

function protocolsOf(extension: Buffer | undefined): string[] {
  if (extension === undefined) return [];
  const names = new Reader(new Reader(extension).list(2));
  const protocols: string[] = [];
  while (names.left > 0) protocols.push(names.list(1).toString('latin1'));
  return protocols;
}

function offerOf(extensions: Map<number, Buffer>): ClientHello['offered'] {
  if (extensions.has(EARLY_DATA)) return 'early-data';
  // An empty TLS 1.2 ticket requests a ticket.
  const ticketBytes = extensions.get(SESSION_TICKET)?.length ?? 0;
  return extensions.has(PRE_SHARED_KEY) || ticketBytes > 0 ? 'resumption' : 'full';
}

/** Skips parameters without a name: they may hold anything. */
function transportParametersOf(extension: Buffer | undefined): Record<string, number> | null {
  if (extension === undefined) return null;
  return readOrNull(() => {
    const reader = new Reader(extension);
    const found = new Map<number, Buffer>();
    while (reader.left > 0) found.set(reader.varint(), reader.bytes(reader.varint()));
    const named = TRANSPORT_PARAMETERS.flatMap(({ name, ids }) => {
      const value = ids.flatMap((id) => found.get(id) ?? [])[0];
      return value ? [[name, new Reader(value).varint()] as const] : [];
    });
    return Object.fromEntries(named);
  });
}
