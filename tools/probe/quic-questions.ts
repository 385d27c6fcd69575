import { isIP } from 'node:net';
import { Failure } from '../../clients/connection-failure.ts';
import type { QuicConnector, TargetServer } from '../../clients/quic-connector.ts';
import type { ProbeRecord } from '../../ground/records/probe.ts';
import { exchangeDatagrams, type UdpAddress } from './datagrams.ts';
import type { Questioner } from './questioner.ts';
import {
  firstDatagrams,
  isRetry,
  offeredVersions,
  quicVersionName,
  reservedVersionDatagram,
} from './quic-datagram.ts';

type QuicAnswers = Pick<
  ProbeRecord,
  'h3' | 'quicMs' | 'retry' | 'unvalidatedSentBytes' | 'unvalidatedReceivedBytes' | 'amplification'
>;

/** Servers retransmit what is not acknowledged, first after 1 s (RFC 9002, section 6.2.2) or sooner. */
const LISTEN_MS = 1500;

/**
 * The versions that a server offers in answer to a reserved version.
 * @throws Failure without an answer, or if it names no versions
 */
export async function requestVersions(
  context: UdpAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const { received } = await exchangeDatagrams(context, {
    datagram: reservedVersionDatagram(),
    last: null,
    timeoutMs,
    furtherMs: 0,
    signal,
  });
  for (const datagram of received) {
    const versions = offeredVersions(datagram);
    if (versions !== null) return versions.map(quicVersionName);
  }
  throw new Failure(
    'quic',
    'no-version-negotiation',
    'the answer is no Version Negotiation packet',
  );
}

/**
 * Probes QUIC version 1: first without acknowledging, then by a complete handshake. Skips the handshake if neither the first flight
 * nor the reserved version had an answer.
 */
export async function probeQuic(
  server: TargetServer,
  {
    clients,
    questioner,
    hasOfferedVersions,
  }: { clients: QuicConnector; questioner: Questioner; hasOfferedVersions: boolean },
): Promise<QuicAnswers> {
  const flight = await questioner.answer('first flight', () => firstFlight(server));
  let quicMs: number | null = null;
  const h3 = await questioner.succeeds('h3', async () => {
    if (flight === null && !hasOfferedVersions) {
      throw new Failure('udp', 'no-answer', 'the earlier datagrams had no answer');
    }
    quicMs = (await clients.connect(server)).maySendMs;
  });
  return { ...(flight ?? NO_FLIGHT), h3, quicMs };
}

export const NO_FLIGHT = {
  retry: null,
  unvalidatedSentBytes: null,
  unvalidatedReceivedBytes: null,
  amplification: null,
};

async function firstFlight({ host, address, port, timeoutMs, signal }: TargetServer) {
  const { hello, close } = firstDatagrams(isIP(host) === 0 ? host : null);
  const { sentBytes, received } = await exchangeDatagrams(
    { address, port },
    { datagram: hello, last: close, timeoutMs, furtherMs: LISTEN_MS, signal },
  );
  return { retry: received.slice(0, 1).some(isRetry), ...amplificationOf(sentBytes, received) };
}

/** Received bytes per sent byte, before the server validated the client's address. */
export function amplificationOf(sentBytes: number, received: readonly Buffer[]) {
  const receivedBytes = received.reduce((sum, { length }) => sum + length, 0);
  return {
    unvalidatedSentBytes: sentBytes,
    unvalidatedReceivedBytes: receivedBytes,
    amplification: receivedBytes / sentBytes,
  };
}
