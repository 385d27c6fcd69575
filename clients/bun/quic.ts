import { isIP } from 'node:net';
import * as quic from 'node:quic';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionRequest } from '../connector.ts';
import { authoritiesOf } from './authorities.ts';
import {
  ConnectionFailure,
  certificateFailure,
  closedFailure,
  failureOf,
  type Stage,
} from './failure.ts';
import { expectResponse } from './get-over-tls.ts';
import { groupsOf } from './groups.ts';
import {
  fieldsOf,
  type PendingConnection,
  requestFields,
  serverName,
  splitAddress,
} from './pending-connection.ts';
import { sessionOf, ticketToOffer, versionOf } from './quic-ticket.ts';
import { assertReachable } from './route.ts';
import { certificateBytes, certificatesOf, groupOf, MARKED } from './session.ts';
import { keepTicket, TICKET_LIMIT_MS, takeTicket } from './tickets.ts';

/** Makes a QUIC connection with HTTP/3. */
export async function connectQuic(pending: PendingConnection): Promise<void> {
  const { target, times, facts, examination } = pending;
  const { host, address } = target;
  const kept = takeTicket(target);
  const earlyData = target.resumption === 'early-data';
  // Examinations must not use an untrusted server's response, nor send it the request.
  const isStrict = examination !== null && target.trust !== null;
  const { endpoint, options } = sessionOptions(target, isStrict);
  const secure = Promise.withResolvers<void>();
  const ticketCame = Promise.withResolvers<void>();
  let sessionBegan = false;
  pending.stage = () => quicStage(target, endpoint.stats.packetsReceived > 0n, sessionBegan);
  let ticket: Buffer | undefined;
  try {
    assertReachable(pending);
    pending.begin();
    const session = await quic.connect(address, {
      ...options,
      ...(kept && { sessionTicket: ticketToOffer(kept, { earlyData }) }),
      onkeylog(line) {
        pending.keep(line);
        if (line.startsWith('SERVER_HANDSHAKE_TRAFFIC_SECRET')) sessionBegan = true;
        if (line.startsWith('CLIENT_EARLY_TRAFFIC_SECRET')) times.maySendMs ??= pending.elapsedMs();
        if (!line.startsWith('CLIENT_TRAFFIC_SECRET_0')) return;
        times.completeMs = pending.elapsedMs();
        times.maySendMs ??= times.completeMs;
        secure.resolve();
      },
      onsessionticket(came) {
        ticket = Buffer.from(came);
        keepTicket(target, ticket);
        ticketCame.resolve();
      },
      onhandshake() {
        times.confirmedMs = pending.elapsedMs();
      },
    });
    const ended = session.closed.then(() => throwEndedEarly(pending, endpoint));
    ended.catch(() => {});
    // If the session does not open, the reason of its close explains why.
    const opened = session.opened.catch(() => ended);
    try {
      const { request } = target;
      const sendRequest = () => request && getWithRetry(session, pending, request);
      const answered = isStrict
        ? secure.promise.then(() => assertNamed(session, target)).then(sendRequest)
        : sendRequest();
      answered?.catch(() => {});
      const info = await pending.until(Promise.race([opened, ended]));
      const wrong = readHandshake(session, info, pending, kept !== undefined);
      const { peerCertificate } = session;
      if (examination && peerCertificate) examination.certificates = [peerCertificate.raw];
      if (target.trust !== null && wrong !== null) {
        throw new ConnectionFailure(certificateFailure(wrong, host));
      }
      if (target.request) expectResponse(pending, target.request);
      await pending.until(Promise.race([answered, ended]));
      if (target.awaitsTicket) {
        const ticket = Promise.race([ticketCame.promise, ended, sleep(TICKET_LIMIT_MS)]);
        await pending.until(ticket).catch(() => {});
      }
    } finally {
      const { minRtt } = session.stats;
      if (minRtt > 0n) facts.rttMs = Number(minRtt) / 1e6;
      await waitBriefly(session.close()).catch(() => {});
      session.destroy();
    }
  } finally {
    if (ticket !== undefined) {
      const began = sessionOf(ticket);
      facts.quicVersion = versionOf(ticket);
      facts.group = groupOf(began);
      if (examination) examination.certificates = certificatesOf(began);
      if (facts.resumed !== true) facts.certificateChainBytes = certificateBytes(began);
    }
    facts.bytesSent = Number(endpoint.stats.bytesSent);
    facts.bytesReceived = Number(endpoint.stats.bytesReceived);
    await waitBriefly(endpoint.close()).catch(() => {});
    endpoint.destroy();
  }
}

function sessionOptions(target: ConnectionRequest, isStrict: boolean) {
  const { family } = splitAddress(target.address);
  const any = family === 6 ? '[::]' : '0.0.0.0';
  const endpoint = new quic.QuicEndpoint({ address: `${any}:${target.localPort ?? 0}` });
  const ca = authoritiesOf(target).map((each) => Buffer.from(each));
  return {
    endpoint,
    options: {
      ...(serverName(target) && { servername: serverName(target) }),
      alpn: 'h3',
      groups: groupsOf(target),
      // Verified below: node:quic would close the connection without a CONNECTION_CLOSE or a reason.
      verifyPeer: isStrict ? 'strict' : 'manual',
      keylog: true,
      endpoint,
      ca,
    } as const,
  };
}

function quicStage({ host, address }: ConnectionRequest, isAnswered: boolean, isBegun: boolean) {
  const about = `for ${host} with ${address}`;
  const stage: Stage = isBegun
    ? { layer: 'quic', expected: `the end of a handshake of QUIC ${about}` }
    : isAnswered
      ? { layer: 'quic', expected: `a handshake of QUIC ${about}` }
      : { layer: 'udp', expected: `a response over UDP from ${address}` };
  return stage;
}

/** Throws for a connection that ended without an error, about which Bun gives no details. */
function throwEndedEarly({ target, stage }: PendingConnection, endpoint: quic.QuicEndpoint): never {
  const at = { ...stage(), layer: 'quic' } as const;
  // Except for Version Negotiation, the client acknowledges what ends a connection (RFC 9000, 6.2).
  const isUnanswered = target.resumption === 'none' && endpoint.stats.packetsSent === 1n;
  throw new ConnectionFailure(
    isUnanswered
      ? failureOf(at, 'VERSION_NEGOTIATION', 'a list of QUIC versions without 1 and 2')
      : failureOf(at, 'closed', 'an end of the connection without a reason'),
  );
}

/** Records the negotiated parameters; returns the certificate's problem. */
function readHandshake(
  session: quic.QuicSession,
  info: quic.HandshakeInfo,
  { target, facts, keyLog }: PendingConnection,
  isTicketOffered: boolean,
): string | null {
  const isResumed = info.validationErrorCode === MARKED;
  Object.assign(facts, {
    tlsVersion: info.cipherVersion.replace('TLSv', 'TLS '),
    cipher: info.cipher,
    alpn: info.protocol,
    resumed: isTicketOffered ? isResumed : null,
    // Bun reports an attempt even if the ticket did not allow early data.
    earlyData: keyLog().includes('CLIENT_EARLY_TRAFFIC_SECRET')
      ? info.earlyDataAccepted
        ? 'accepted'
        : 'rejected'
      : null,
  });
  if (isResumed) return null;
  if (info.validationErrorCode !== undefined) return info.validationErrorCode;
  return nameProblem(session, target);
}

/** Problem with the certificate's names; null: valid. */
function nameProblem({ peerCertificate }: quic.QuicSession, { host }: ConnectionRequest) {
  const named = isIP(host) ? peerCertificate?.checkIP(host) : peerCertificate?.checkHost(host);
  return named === undefined ? 'HOSTNAME_MISMATCH' : null;
}

/** @throws ConnectionFailure if the certificate is for other names */
function assertNamed(session: quic.QuicSession, target: ConnectionRequest): void {
  const wrong = nameProblem(session, target);
  if (wrong !== null) throw new ConnectionFailure(certificateFailure(wrong, target.host));
}

/** Repeats the request if the server rejected early data, which discards requests sent in it. */
async function getWithRetry(
  session: quic.QuicSession,
  pending: PendingConnection,
  request: { path: string },
): Promise<void> {
  try {
    await getOverQuic(session, pending, request);
  } catch (error) {
    if (pending.target.resumption !== 'early-data') throw error;
    if ((await session.opened).earlyDataAccepted) throw error;
    await getOverQuic(session, pending, request);
  }
}

/** Sends GET as soon as the client may send, and waits for the whole response. */
async function getOverQuic(
  session: quic.QuicSession,
  pending: PendingConnection,
  { path }: { path: string },
): Promise<void> {
  const { target, times, facts, examination, elapsedMs, stage } = pending;
  let lengthBytes: number | null = null;
  const stream = await session.createBidirectionalStream({
    headers: {
      ':method': 'GET',
      ':scheme': 'https',
      ':authority': target.authority,
      ':path': path,
      ...requestFields(pending),
    },
    onheaders(headers) {
      const { ':status': status, 'alt-svc': altSvc, 'content-length': length } = headers;
      times.firstByteMs = elapsedMs();
      lengthBytes = length === undefined ? null : Number(length);
      facts.status = Number(status);
      facts.altSvc = altSvc?.toString() ?? null;
      examination?.headers.push(...fieldsOf(headers));
    },
  });
  let bytes = 0;
  for await (const chunk of stream) {
    for (const part of [chunk].flat()) {
      bytes += part.length;
      await pending.take(part);
    }
  }
  const endedMs = elapsedMs();
  // A stream also ends with its connection, whose reason arrives later.
  if (facts.status === null || bytes < (lengthBytes ?? 0)) {
    await waitBriefly(session.closed);
    throw new ConnectionFailure(closedFailure(stage()));
  }
  times.totalMs = endedMs;
  facts.bodyBytes = bytes;
}

const CLOSE_MS = 300;

/** Waits a limited time for a promise that may never settle. @throws its error */
async function waitBriefly(ending: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, CLOSE_MS);
  try {
    await Promise.race([ending, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
