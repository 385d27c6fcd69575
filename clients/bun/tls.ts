import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import * as tls from 'node:tls';
import type { ConnectionFacts } from '../../ground/records/connection-attempt.ts';
import type { ConnectionRequest } from '../connector.ts';
import { authoritiesOf } from './authorities.ts';
import { ConnectionFailure, certificateFailure, closedFailure } from './failure.ts';
import { getOverTls } from './get-over-tls.ts';
import { groupsOf } from './groups.ts';
import { type PendingConnection, serverName, throwUnsupported } from './pending-connection.ts';
import { certificateBytes, certificatesOf, groupOf } from './session.ts';
import { openTcp } from './tcp.ts';
import { tcpCounts } from './tcp-counts.ts';
import { keepTicket, TICKET_LIMIT_MS, takeTicket } from './tickets.ts';

const VERSIONS = { 'tls1.3': 'TLSv1.3', 'tls1.2': 'TLSv1.2' } as const;

const contexts = new Map<string, tls.SecureContext>();

/** Cached: reading authorities takes milliseconds. */
function contextOf(target: ConnectionRequest, version: tls.SecureVersion): tls.SecureContext {
  const key = JSON.stringify([version, target.trust, target.keyExchange]);
  const context =
    contexts.get(key) ??
    tls.createSecureContext({
      minVersion: version,
      maxVersion: version,
      ca: [...authoritiesOf(target)],
      ecdhCurve: groupsOf(target),
    });
  contexts.set(key, context);
  return context;
}

export async function connectTls(
  pending: PendingConnection,
  transport: keyof typeof VERSIONS,
): Promise<void> {
  const { target, times, facts, examination } = pending;
  const { host, address, trust, resumption } = target;
  if (resumption === 'early-data') {
    throwUnsupported(
      'unsupported',
      'early data by TLS',
      "node:tls, which does not support it: use 'ticket'",
    );
  }
  const session = takeTicket(target);
  const context = contextOf(target, VERSIONS[transport]);
  const tcp = await openTcp(pending);
  const name = VERSIONS[transport].replace('TLSv', 'TLS ');
  pending.stage = () => ({
    layer: 'tls',
    expected: `a handshake of ${name} for ${host} with ${address}`,
  });
  const secure = Promise.withResolvers<void>();
  const ticket = Promise.withResolvers<void>();
  const socket = tls.connect({
    socket: tcp,
    servername: serverName(target),
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(host, certificate),
    ALPNProtocols: [...(examination?.alpn ?? ['h2', 'http/1.1'])],
    secureContext: context,
    minVersion: VERSIONS[transport],
    maxVersion: VERSIONS[transport],
    // Verified below, after the handshake is recorded.
    rejectUnauthorized: false,
    ...(session && { session }),
  });
  const failed = new Promise<never>((_, reject) => {
    tcp.on('error', reject);
    socket.on('error', reject);
    socket.once('close', () => reject(new ConnectionFailure(closedFailure(pending.stage()))));
  });
  failed.catch(() => {});
  socket.on('keylog', pending.keep);
  socket.on('session', (session) => {
    keepTicket(target, session);
    ticket.resolve();
  });
  socket.once('secureConnect', () => {
    times.maySendMs = pending.elapsedMs();
    times.completeMs = times.maySendMs;
    // Read now: they vanish with the connection, which the server may close right after its response.
    Object.assign(facts, agreedFacts(socket), session && { resumed: socket.isSessionReused() });
    const began = examination && socket.getSession();
    if (began) examination.certificates = certificatesOf(began);
    secure.resolve();
  });
  let goodbye = async () => {};
  try {
    await pending.until(Promise.race([secure.promise, failed]));
    const wrong = socket.authorizationError as string | (Error & { code?: string }) | null;
    if (trust !== null && wrong) {
      const code = typeof wrong === 'string' ? wrong : (wrong.code ?? wrong.message);
      throw new ConnectionFailure(certificateFailure(code, host));
    }
    if (target.request === null) socket.resume();
    else
      goodbye = await pending.until(
        Promise.race([getOverTls(socket, pending, target.request), failed]),
      );
    if (target.awaitsTicket) {
      const came = Promise.race([ticket.promise, failed, sleep(TICKET_LIMIT_MS)]);
      await pending.until(came).catch(() => {});
    }
  } finally {
    // The client's last message and its keys follow at once; destroying the socket would lose them.
    await setImmediate();
    Object.assign(facts, tcpCounts(tcp));
    await goodbye();
    await closeSocket(socket);
  }
}

function agreedFacts(socket: tls.TLSSocket): Partial<ConnectionFacts> {
  const isResumed = socket.isSessionReused();
  const session = socket.getSession() ?? null;
  const version = socket.getProtocol();
  return {
    tlsVersion: version?.replace('TLSv', 'TLS ') ?? null,
    cipher: socket.getCipher().standardName,
    // TLS 1.2 resumption has no key exchange.
    group: session && !(isResumed && version === 'TLSv1.2') ? groupOf(session) : null,
    alpn: socket.alpnProtocol || null,
    certificateChainBytes: session && !isResumed ? certificateBytes(session) : null,
  };
}

const CLOSE_MS = 200;

/** Sends close_notify, and waits a limited time for the server's. */
async function closeSocket(socket: tls.TLSSocket): Promise<void> {
  socket.on('error', () => {});
  if (!socket.destroyed) {
    socket.end();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), CLOSE_MS);
    await once(socket, 'finish', { signal: limit.signal }).catch(() => {});
    clearTimeout(timer);
  }
  socket.destroy();
}
