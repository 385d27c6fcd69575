import type { ConnectionRecord } from '../../ground/records/connection.ts';
import { cipherSuiteName, tlsVersionName } from '../../ground/records/wire-names.ts';
import {
  acceptsEarlyData,
  CLIENT_HELLO,
  type ClientHello,
  ENCRYPTED_EXTENSIONS,
  readClientHello,
  readServerHello,
  SERVER_HELLO,
  type ServerHello,
  TLS_1_3,
} from './hello.ts';
import type { Handshake } from './packet.ts';
import { quicVersionName } from './packet-key.ts';

export interface ParsedConnection {
  record: ConnectionRecord;
  /** Of the client's hello, in hex; null: it was not seen, or is damaged. */
  random: string | null;
  readable: boolean;
}

/**
 * @param secrets of handshakes, by the client's random; empty: not known.
 * @param beganNs when the first connection of the attempt began; left out: it is this one
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
      // A session of TLS 1.2 that is known by its id alone shows only when it is taken.
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
    readable:
      (client !== null || !handshake.clientSpoke) &&
      (server !== null || retried || !handshake.serverSpoke),
  };
}

function sinceMs(timeNs: bigint | null, beganNs: bigint): number | null {
  return timeNs === null ? null : Number(timeNs - beganNs) / 1e6;
}

function isResumed(
  client: ClientHello | null,
  { version, ticket, sessionId }: ServerHello,
): boolean {
  if (version === TLS_1_3) return ticket !== null;
  // Before TLS 1.3 a server repeats the client's session id when it takes the session, or the ticket that came with it.
  return sessionId.length > 0 && client?.sessionId.equals(sessionId) === true;
}

interface ExchangedHellos {
  client: ClientHello | null;
  server: ServerHello | null;
  /** The server asked for another hello, and forgets what came with the first. */
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
  // It is sent by the first ticket, and no other makes sense of it (RFC 8446, section 4.2.10).
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

/** The cipher of a TLS suite in the words of DevTools, which the HAR has too; suites that nobody offers any more by number. */
export function cipherName(suite: number): string {
  // TLS 1.2 has the key exchange in the name of a suite, and both have the hash.
  return cipherSuiteName(suite)
    .replace(/^TLS_(?:.*_WITH_)?/, '')
    .replace(/_SHA\d*$/, '');
}
