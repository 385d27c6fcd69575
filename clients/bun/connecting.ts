import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedConnection, ConnectionMade } from '../connector.ts';
import { failureOfError, timeoutFailure } from './failure.ts';
import { type Examination, type Making, prepareMaking } from './making.ts';
import { connectQuic } from './quic.ts';
import { connectTcp } from './tcp.ts';
import { connectTls } from './tls.ts';

function make(making: Making): Promise<void> {
  const { via } = making.asked;
  switch (via) {
    case 'quic':
      return connectQuic(making);
    case 'tcp':
      return connectTcp(making);
    case 'tls1.3':
    case 'tls1.2':
      return connectTls(making, via);
  }
}

/** How long a way has to close what it opened, once the time is over. */
const CLOSE_MS = 800;

/** Makes a connection, and tells what became of it, whatever that is. */
export async function connect(
  asked: AskedConnection,
  examination: Examination | null = null,
): Promise<ConnectionMade> {
  const making = prepareMaking(asked, examination);
  const { instants, facts } = making;
  const stuck = making.late.catch(() => sleep(CLOSE_MS, 'stuck' as const));
  const ending = make(making).then(
    () => null,
    (error) => failureOfError(error, making.stage()),
  );
  const ended = await Promise.race([ending, stuck]);
  making.end();
  const error = ended === 'stuck' ? timeoutFailure(making.stage(), asked.timeoutMs) : ended;
  return { ...instants, facts, error, keyLog: making.keyLog() };
}
