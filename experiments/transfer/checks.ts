import type { TransferRequest } from '../../clients/transfer-client.ts';
import type { ObservedConnections } from '../../ground/records/connection.ts';
import { type CommonExpected, failed, hasLost, type Judgement, type Problem } from '../checks.ts';
import { eventMissed } from '../event-missed.ts';
import { transfer } from './experiment.ts';
import { isLinkLimit } from './limits/limit-reason.ts';
import type { LimitedBy } from './records.ts';
import type { WatchedTransfer } from './watch-transfer.ts';

/** A transfer whose client gave an answer. */
interface FinishedTransfer
  extends Pick<WatchedTransfer, 'made' | 'path' | 'connections' | 'mostSentBytes'> {
  /** What the server had of an upload; null: it is a download, or the server does not tell. */
  receivedBytes: number | null;
  limitedBy: LimitedBy | null;
}

interface Expected extends CommonExpected {
  asked: Pick<TransferRequest, 'protocol' | 'streams' | 'bytes'>;
  client: string;
}

/** Why a transfer did not come to its end; null: it did. */
export function failureOf(
  { made, receivedBytes }: Pick<FinishedTransfer, 'made' | 'receivedBytes'>,
  { bytes }: Pick<TransferRequest, 'bytes'>,
): Judgement | null {
  if (made.error !== null) return failed({ code: made.error.code, message: made.error.reason });
  const arrivedBytes = receivedBytes ?? made.bodyBytes;
  if (arrivedBytes === bytes) return null;
  const who = receivedBytes === null ? 'the client' : 'the server';
  const message = `expected ${bytes} bytes of bodies, ${who} had ${arrivedBytes}`;
  return failed({ code: 'wrong-size', message });
}

/** Whether it was what was asked for. */
export const CHECKS = [otherConnections, noEvent, linkBusy];

function otherConnections(
  { connections, mostSentBytes, path }: FinishedTransfer,
  { asked, client }: Expected,
): Problem | null {
  return wrongConnections(asked, client, { ...connections, mostSentBytes, hasLost: hasLost(path) });
}

function noEvent({ made, path }: FinishedTransfer, { network }: Expected): Problem | null {
  const endedMs = made.lastByteMs === null ? null : made.askedAtMs + made.lastByteMs;
  return eventMissed(network, path, endedMs, transfer.attempt[0]);
}

/** The program that carries the packets held the transfer up: it is the bench that was measured. */
function linkBusy({ limitedBy }: FinishedTransfer): Problem | null {
  if (!limitedBy || !isLinkLimit(limitedBy)) return null;
  return { code: 'link-busy', message: limitedBy.because };
}

/** Of one host by HTTP/1.1 (kMaxSocketsPerGroup of Chromium's net/socket/client_socket_pool_manager.cc). */
const MOST_OF_CHROMIUM = 6;

/** The connections of a transfer. */
interface TransferConnections extends ObservedConnections {
  /** What the one that sent most had sent, in bytes; null: nobody told. */
  mostSentBytes: number | null;
  /** Whether the path lost or dropped anything: where a SYN is lost Chromium makes another connection, and what breaks is made anew. */
  hasLost: boolean;
}

/** Whether a transfer went over connections of the kind and number that its protocol has; null: it did. */
export function wrongConnections(
  { protocol, streams, bytes }: Pick<TransferRequest, 'protocol' | 'streams' | 'bytes'>,
  client: string,
  { opened, whole, mostSentBytes, hasLost }: TransferConnections,
): Problem | null {
  const transport = protocol === 'h3' ? 'quic' : 'tcp';
  const other = opened.find((each) => each.transport !== transport);
  if (other) {
    return {
      code: 'wrong-protocol',
      message: `expected connections by ${transport}, got one by ${other.transport}`,
    };
  }
  if (!whole) {
    return { code: 'handshakes-unknown', message: 'not every handshake was seen on the path' };
  }
  if (opened.length === 0) {
    return { code: 'no-handshake', message: 'no connection was set up in this transfer' };
  }
  if (isRaced(protocol, client)) {
    if (mostSentBytes === null || mostSentBytes >= bytes) return null;
    return {
      code: 'too-many-connections',
      message: `expected all bodies over one of ${opened.length} connections, but none sent more than ${mostSentBytes} of ${bytes} bytes`,
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
 * Asked for several files at once, Chromium opens connections by TCP before the first one has told that it takes all of them, and
 * opens others where it gave up some of these: their number is chance, so it is where the bodies went that counts.
 */
function isRaced(protocol: TransferRequest['protocol'], client: string): boolean {
  return protocol === 'h2' && client === 'chromium';
}

function mostConnections(
  protocol: TransferRequest['protocol'],
  streams: number,
  client: string,
): number {
  if (protocol !== 'http/1.1') return 1;
  return client === 'chromium' ? Math.min(streams, MOST_OF_CHROMIUM) : streams;
}
