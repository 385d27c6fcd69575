import type { AskedTransfer } from '../../clients/transferrer.ts';
import type { ConnectionsSeen } from '../../records/connection.ts';

/** Why a transfer that came to its end is not what was asked for. */
export interface Wrong {
  code: string;
  message: string;
}

/** Of one host by HTTP/1.1 (kMaxSocketsPerGroup of Chromium's net/socket/client_socket_pool_manager.cc is what it opens before it knows better). */
const MOST_OF_CHROMIUM = 6;

/** Whether a transfer went over connections of the kind and number that its protocol has; null: it did. */
export function wrongConnections(
  { protocol, streams }: Pick<AskedTransfer, 'protocol' | 'streams'>,
  client: string,
  { opened, whole }: ConnectionsSeen,
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
  const most = mostConnections(protocol, streams, client);
  if (opened.length <= most) return null;
  return {
    code: 'too-many-connections',
    message: `expected at most ${most} for ${streams} streams by ${protocol}, got ${opened.length}`,
  };
}

function mostConnections(
  protocol: AskedTransfer['protocol'],
  streams: number,
  client: string,
): number {
  if (protocol === 'h3') return 1;
  // Asked for several files at once, it opens connections by TCP before the first one has told that it takes many streams.
  if (client === 'chromium') return Math.min(streams, MOST_OF_CHROMIUM);
  return protocol === 'h2' ? 1 : streams;
}
