import type { HelloRecord } from '../../ground/records/client-transports.ts';
import type { ConnectionRecord } from '../../ground/records/connection.ts';
import { cipherSuiteName, tlsVersionName } from '../../ground/records/wire-names.ts';
import {
  acceptsEarlyData,
  CLIENT_HELLO,
  type ClientHello,
  ENCRYPTED_EXTENSIONS,
  MESSAGE_HEAD_BYTES,
  type Message,
  readClientHello,
  readServerHello,
  SERVER_HELLO,
  type ServerHello,
  TLS_1_3,
} from './hello.ts';
import type { Handshake, TcpHead } from './packet.ts';
import { quicVersionName } from './packet-key.ts';

/** A client's hello as it left. */
interface SentHello {
  record: HelloRecord;
  transportParameters: ClientHello['transportParameters'];
}

export interface ParsedConnection {
  record: ConnectionRecord;
  /** Random of the client's hello, in hex; null: not captured or damaged. */
  random: string | null;
  readable: boolean;
  /** null: not captured or damaged. */
  hello: SentHello | null;
  /** null: over QUIC. */
  syn: TcpHead | null;
}

/**
 * @param secrets of handshakes, by the client's random; empty: unknown
 * @param beganNs begin of the attempt's first connection; default: this connection
 */
export function readConnection(
  handshake: Handshake,
  secrets: ReadonlyMap<string, Buffer>,
  beganNs: bigint = handshake.first.timeNs,
): ParsedConnection {
  const { clientPort, address, transport } = handshake.first;
  const helloMessage = handshake.clientMessages().find(({ type }) => type === CLIENT_HELLO);
  const client = helloMessage ? readClientHello(helloMessage.body) : null;
  const answers = handshake
    .serverMessages()
    .filter(({ type }) => type === SERVER_HELLO)
    .map(({ body }) => readServerHello(body));
  const server = answers.find((answer) => answer?.retries === false) ?? null;
  const retried = answers.some((answer) => answer?.retries);
  const resumed = server !== null && isResumed(client, server);
  const offered = client?.offered ?? 'full';
  return {
    record: {
      host: client?.serverName ?? null,
      address,
      clientPort,
      transport,
      // A TLS 1.2 session that is known only by its id shows up only when the server accepts it.
      offered: resumed && offered === 'full' ? 'resumption' : offered,
      tlsVersion: server && tlsVersionName(server.version),
      ...(transport === 'quic' && { quicVersion: quicVersionName(handshake.quicVersion) }),
      cipher: server && cipherName(server.cipherSuite),
      handshake: server && (resumed ? 'resumed' : 'full'),
      clientHelloMs: sinceMs(handshake.clientHelloNs, beganNs),
      serverHelloMs: sinceMs(handshake.serverHelloNs, beganNs),
      earlyData: earlyDataOf(handshake, { client, server, retried, secrets }),
    },
    random: client?.random ?? null,
    hello: client && helloMessage ? sentHello(handshake, helloMessage, client) : null,
    syn: handshake.first.tcp,
    readable:
      (client !== null || !handshake.clientSpoke) &&
      (server !== null || retried || !handshake.serverSpoke),
  };
}

function sentHello(
  handshake: Handshake,
  { body }: Message,
  { transportParameters }: ClientHello,
): SentHello {
  const bytes = MESSAGE_HEAD_BYTES + body.length;
  return { record: { bytes, ...handshake.sentIn(bytes) }, transportParameters };
}

function sinceMs(timeNs: bigint | null, beganNs: bigint): number | null {
  return timeNs === null ? null : Number(timeNs - beganNs) / 1e6;
}

function isResumed(
  client: ClientHello | null,
  { version, ticket, sessionId }: ServerHello,
): boolean {
  if (version === TLS_1_3) return ticket !== null;
  // Before TLS 1.3 a server that accepts the session or its ticket repeats the client's session id.
  return sessionId.length > 0 && client?.sessionId.equals(sessionId) === true;
}

interface ExchangedHellos {
  client: ClientHello | null;
  server: ServerHello | null;
  /** The server sent a HelloRetryRequest and discarded the early data of the first hello. */
  retried: boolean;
  secrets: ReadonlyMap<string, Buffer>;
}

function earlyDataOf(
  handshake: Handshake,
  { client, server, retried, secrets }: ExchangedHellos,
): ConnectionRecord['earlyData'] {
  if (client?.offered !== 'early-data') return 'none';
  if (retried) return 'rejected';
  if (server === null) return 'unknown';
  // Early data belongs to the first ticket only (RFC 8446, section 4.2.10).
  if (server.ticket !== 0) return 'rejected';
  const secret = secrets.get(client.random);
  const extensions = secret && encryptedExtensions(handshake, secret);
  const taken = extensions ? acceptsEarlyData(extensions) : null;
  if (taken === null) return 'unknown';
  return taken ? 'accepted' : 'rejected';
}

function encryptedExtensions(handshake: Handshake, secret: Buffer): Buffer | null {
  const [first] = handshake.encryptedMessages(secret);
  return first?.type === ENCRYPTED_EXTENSIONS ? first.body : null;
}

/** Cipher of a TLS suite as named by DevTools and HAR; a suite that is no longer offered has its number. */
export function cipherName(suite: number): string {
  // TLS 1.2 suite names include the key exchange, and all include the hash.
  return cipherSuiteName(suite)
    .replace(/^TLS_(?:.*_WITH_)?/, '')
    .replace(/_SHA\d*$/, '');
}
