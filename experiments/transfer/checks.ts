import type { TransferRequest } from '../../clients/transfer-client.ts';
import type { ObservedConnections } from '../../ground/records/connection.ts';
import { hasStreams, isOverQuic } from '../../ground/records/protocol.ts';
import { type CommonExpected, failed, hasLost, type Judgement, type Problem } from '../checks.ts';
import { eventMissed } from '../event-missed.ts';
import { transfer } from './experiment.ts';
import { isLinkLimit } from './limits/limit-reason.ts';
import type { LimitedBy } from './records.ts';
import type { WatchedTransfer } from './watch-transfer.ts';

/** A transfer with a result of its client. */
interface FinishedTransfer
  extends Pick<WatchedTransfer, 'made' | 'path' | 'connections' | 'mostSentBytes'> {
  /** Bytes that the server received; null: a download, or not reported. */
  receivedBytes: number | null;
  limitedBy: LimitedBy | null;
}

interface Expected extends CommonExpected {
  request: Pick<TransferRequest, 'protocol' | 'streams' | 'bytes'>;
  client: string;
}

/** The failure of a transfer; null: it is complete. */
export function failureOf(
  { made, receivedBytes }: Pick<FinishedTransfer, 'made' | 'receivedBytes'>,
  { bytes }: Pick<TransferRequest, 'bytes'>,
): Judgement | null {
  if (made.error !== null) return failed({ code: made.error.code, message: made.error.reason });
  const arrivedBytes = receivedBytes ?? made.bodyBytes;
  if (arrivedBytes === bytes) return null;
  const who = receivedBytes === null ? 'the client' : 'the server';
  const message = `expected ${bytes} bytes of bodies, ${who} received ${arrivedBytes}`;
  return failed({ code: 'wrong-size', message });
}

export const CHECKS = [otherConnections, noEvent, linkBusy];

function otherConnections(
  { connections, mostSentBytes, path }: FinishedTransfer,
  { request, client }: Expected,
): Problem | null {
  return wrongConnections(request, client, {
    ...connections,
    mostSentBytes,
    hasLost: hasLost(path),
  });
}

function noEvent({ made, path }: FinishedTransfer, { network }: Expected): Problem | null {
  const endedMs = made.lastByteMs === null ? null : made.requestedAtMs + made.lastByteMs;
  return eventMissed(network, path, endedMs, transfer.attempt[0]);
}

/** Rejects a transfer that the benchmark's own packet forwarding limited. */
function linkBusy({ limitedBy }: FinishedTransfer): Problem | null {
  if (!limitedBy || !isLinkLimit(limitedBy)) return null;
  return { code: 'link-busy', message: limitedBy.because };
}

/** Chromium's limit of HTTP/1.1 connections to a host (kMaxSocketsPerGroup in net/socket/client_socket_pool_manager.cc). */
const MOST_OF_CHROMIUM = 6;

interface TransferConnections extends ObservedConnections {
  /** Bytes of the connection that sent most; null: not reported. */
  mostSentBytes: number | null;
  /** Whether the path lost or dropped a packet: Chromium then replaces connections, also after a lost SYN. */
  hasLost: boolean;
}

/** The problem of a transfer's connections; null: their kind and number are those of the protocol. */
export function wrongConnections(
  { protocol, streams, bytes }: Pick<TransferRequest, 'protocol' | 'streams' | 'bytes'>,
  client: string,
  { opened, whole, mostSentBytes, hasLost }: TransferConnections,
): Problem | null {
  const transport = isOverQuic(protocol) ? 'quic' : 'tcp';
  const other = opened.find((each) => each.transport !== transport);
  if (other) {
    return {
      code: 'wrong-protocol',
      message: `expected connections by ${transport}, got one by ${other.transport}`,
    };
  }
  // TCP alone has no hello that could be read.
  if (!whole && protocol !== 'tcp') {
    return { code: 'handshakes-unknown', message: 'not every handshake was observed on the path' };
  }
  if (opened.length === 0) {
    return { code: 'no-handshake', message: 'no connection was set up in this transfer' };
  }
  if (isRaced(protocol, client)) {
    if (mostSentBytes === null || mostSentBytes >= bytes) return null;
    return {
      code: 'too-many-connections',
      message: `expected all bodies over one of ${opened.length} connections, but no connection sent more than ${mostSentBytes} of ${bytes} bytes`,
    };
  }
  const most = mostConnections(protocol, streams, client);
  if (opened.length <= most || hasLost) return null;
  return {
    code: 'too-many-connections',
    message: `expected at most ${most} for ${streams} streams by ${protocol}, got ${opened.length}`,
  };
}

/**
 * For several concurrent requests, Chromium opens TCP connections before the first one negotiates
 * HTTP/2, and replaces those that it gives up. Their number is random, so the check is whether one
 * connection carried all bodies.
 */
function isRaced(protocol: TransferRequest['protocol'], client: string): boolean {
  return protocol === 'h2' && client === 'chromium';
}

function mostConnections(
  protocol: TransferRequest['protocol'],
  streams: number,
  client: string,
): number {
  if (hasStreams(protocol)) return 1;
  return client === 'chromium' ? Math.min(streams, MOST_OF_CHROMIUM) : streams;
}
