import type { AskedTransfer } from '../../clients/transferrer.ts';
import type { ConnectionsSeen } from '../../records/connection.ts';

/** Why a transfer that came to its end is not what was asked for. */
export interface Wrong {
  code: string;
  message: string;
}

/** Of one host by HTTP/1.1 (kMaxSocketsPerGroup of Chromium's net/socket/client_socket_pool_manager.cc). */
const MOST_OF_CHROMIUM = 6;

/** The connections of a transfer. */
export interface ItsConnections extends ConnectionsSeen {
  /** What the one that sent most had sent, in bytes; null: nobody told. */
  mostSentBytes: number | null;
}

/** Whether a transfer went over connections of the kind and number that its protocol has; null: it did. */
export function wrongConnections(
  { protocol, streams, bytes }: Pick<AskedTransfer, 'protocol' | 'streams' | 'bytes'>,
  client: string,
  { opened, whole, mostSentBytes }: ItsConnections,
): Wrong | null {
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
  if (opened.length <= most) return null;
  return {
    code: 'too-many-connections',
    message: `expected at most ${most} for ${streams} streams by ${protocol}, got ${opened.length}`,
  };
}

/**
 * Asked for several files at once, Chromium opens connections by TCP before the first one has told that it takes all of them, and
 * opens others where it gave up some of these: their number is chance, so it is where the bodies went that counts.
 */
function isRaced(protocol: AskedTransfer['protocol'], client: string): boolean {
  return protocol === 'h2' && client === 'chromium';
}

function mostConnections(
  protocol: AskedTransfer['protocol'],
  streams: number,
  client: string,
): number {
  if (protocol !== 'http/1.1') return 1;
  return client === 'chromium' ? Math.min(streams, MOST_OF_CHROMIUM) : streams;
}
