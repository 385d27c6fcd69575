import type { ConnectDetails, FailureReason } from '../../ground/records/connection-attempt.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../../ground/records/key-exchange.ts';
import { failed, type Judgement, type Problem } from '../checks.ts';
import { NO_ADDRESS } from './lookups.ts';

/** What the other side says when it cannot do what was asked for at all: no failure, and no time. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  NO_ADDRESS,
  'unsupported',
  'no-ticket',
  'protocol_version',
  'no_application_protocol',
  'VERSION_NEGOTIATION',
]);

/** A connection that was made. */
interface ConnectionEvidence {
  details: Pick<ConnectDetails, 'resumption' | 'facts'>;
}

interface Expected {
  /** What client and server were to use; null: nothing was asked of the server. */
  keyExchange: KeyExchange | null;
}

/** A connection that was not made, with layer and code. */
export function connectionFailure({ layer, code, reason }: FailureReason): Judgement {
  const message = `${layer}, ${code}: ${reason}`;
  if (UNSUPPORTED.has(code)) return { outcome: 'unsupported', code: 'unsupported', message };
  return failed({ code: FAILURES[layer] ?? 'handshake-failed', message });
}

function notResumed({ details: { resumption, facts } }: ConnectionEvidence): Problem | null {
  if (resumption !== 'none' && facts?.resumed === false) {
    const message = 'a ticket was offered, and the server made a full handshake';
    return { code: 'not-resumed', message };
  }
  if (resumption === 'early-data' && facts?.earlyData === 'rejected') {
    const message = 'data was sent along, and the server did not take it';
    return { code: 'early-data-rejected', message };
  }
  return null;
}

/** Not every client reports its group, by every transport. */
function wrongKeyExchange(
  { details: { facts } }: ConnectionEvidence,
  { keyExchange }: Expected,
): Problem | null {
  const asked = keyExchange && KEY_EXCHANGE_GROUPS[keyExchange];
  if (!asked || !facts?.group || facts.group === asked) return null;
  const message = `keys were exchanged by ${facts.group}, and ${asked} was asked for`;
  return { code: 'wrong-key-exchange', message };
}

/** Whether it was what was asked for. */
export const CHECKS = [notResumed, wrongKeyExchange];

const FAILURES: Partial<Record<FailureReason['layer'], string>> = {
  client: 'client-failed',
  dns: 'lookup-failed',
  http: 'request-failed',
};
