import type { SocketDetails } from '../../ground/records/socket-events.ts';
import { failed, type Judgement } from '../checks.ts';

/** The failure of an exchange; null: it completed at both ends. */
export function failureOf({
  error,
  client,
  server,
}: Pick<SocketDetails, 'error' | 'client' | 'server'>): Judgement | null {
  if (error !== null) {
    const isConnected = client.some(({ event }) => event === 'sent');
    const code = isConnected ? 'exchange-failed' : 'handshake-failed';
    return failed({ code, message: error });
  }
  if (server !== null) return null;
  const message = 'The client closed the connection, and the server did not within the time limit.';
  return failed({ code: 'exchange-failed', message });
}
