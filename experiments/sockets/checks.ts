import type { Trial } from '../../ground/records/run.ts';
import type { SocketDetails } from '../../ground/records/socket-events.ts';
import { type CommonObserved, failed, type Judgement, judgedBy } from '../checks.ts';
import type { PacketsWritten } from '../packets.ts';

/** What an exchange of messages was. */
interface Exchanged extends CommonObserved {
  details: SocketDetails;
  packets: PacketsWritten;
}

/** Whether an exchange came to its end at both ends, and counts. */
export function judgeExchange(exchanged: Exchanged, trial: Pick<Trial, 'network'>): Judgement {
  const { details, packets } = exchanged;
  const { error, client, server } = details;
  if (error !== null) {
    const isConnected = client.some(({ event }) => event === 'sent');
    const code = isConnected ? 'exchange-failed' : 'handshake-failed';
    return failed({ code, message: error });
  }
  if (server === null) {
    const message =
      'The client closed the connection, and the server did not within the time limit.';
    return failed({ code: 'exchange-failed', message });
  }
  return packets.failure ? failed(packets.failure) : judgedBy([], exchanged, trial);
}
