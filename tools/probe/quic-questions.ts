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
  'h3' | 'retry' | 'unvalidatedSentBytes' | 'unvalidatedReceivedBytes' | 'amplification'
>;

/** Servers send again what is not acknowledged, after 1 s at first (RFC 9002, section 6.2.2), or sooner. */
const LISTEN_MS = 1500;

/**
 * The versions that a server offers instead of one that nobody speaks.
 * @throws Failure when it does not say, or nothing comes
 */
export async function askVersions(
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
  throw new Failure('quic', 'no-version-negotiation', 'what came is no Version Negotiation packet');
}

/**
 * Asks a server about QUIC of version 1: first without answering it, then by a whole handshake. Where neither that nor a version that
 * nobody speaks was answered, no handshake is tried.
 */
export async function askQuic(
  server: TargetServer,
  {
    clients,
    asking,
    hasOfferedVersions,
  }: { clients: QuicConnector; asking: Questioner; hasOfferedVersions: boolean },
): Promise<QuicAnswers> {
  const flight = await asking.answer('first flight', () => firstFlight(server));
  const h3 = await asking.succeeds('h3', async () => {
    if (flight === null && !hasOfferedVersions) {
      throw new Failure('udp', 'no-answer', 'none of the datagrams sent before was answered');
    }
    await clients.connect(server);
  });
  return { ...(flight ?? NO_FLIGHT), h3 };
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

/** How many bytes came for each that was sent, before the sender's address was validated. */
export function amplificationOf(sentBytes: number, received: readonly Buffer[]) {
  const receivedBytes = received.reduce((sum, { length }) => sum + length, 0);
  return {
    unvalidatedSentBytes: sentBytes,
    unvalidatedReceivedBytes: receivedBytes,
    amplification: receivedBytes / sentBytes,
  };
}
