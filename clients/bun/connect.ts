import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionRequest, ConnectionResult } from '../connector.ts';
import { failureOfError, timeoutFailure } from './failure.ts';
import {
  type Examination,
  type PendingConnection,
  prepareConnection,
} from './pending-connection.ts';
import { connectQuic } from './quic.ts';
import { connectTcp } from './tcp.ts';
import { connectTls } from './tls.ts';

function makeConnection(pending: PendingConnection): Promise<void> {
  const { transport } = pending.target;
  switch (transport) {
    case 'quic':
      return connectQuic(pending);
    case 'tcp':
      return connectTcp(pending);
    case 'tls1.3':
    case 'tls1.2':
      return connectTls(pending, transport);
  }
}

/** Limit for closing what a transport opened, after a timeout. */
const CLOSE_MS = 800;

/** Makes a connection; reports failures in the result. */
export async function connect(
  target: ConnectionRequest,
  examination: Examination | null = null,
): Promise<ConnectionResult> {
  const pending = prepareConnection(target, examination);
  const { times, facts } = pending;
  const stuck = pending.late.catch(() => sleep(CLOSE_MS, 'stuck' as const));
  const ending = makeConnection(pending).then(
    () => null,
    (error) => failureOfError(error, pending.stage()),
  );
  const ended = await Promise.race([ending, stuck]);
  pending.end();
  const error = ended === 'stuck' ? timeoutFailure(pending.stage(), target.timeoutMs) : ended;
  return { ...times, facts, error, keyLog: pending.keyLog() };
}
