import type { ConnectDetails, FailureReason } from '../../ground/records/connection-attempt.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../../ground/records/key-exchange.ts';
import { failed, type Judgement, type Problem } from '../checks.ts';
import { NO_ADDRESS } from './lookups.ts';

/** Codes of hosts or clients that do not support the requested connection: neither a failure nor a time. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  NO_ADDRESS,
  'unsupported',
  'no-ticket',
  'protocol_version',
  'no_application_protocol',
  'VERSION_NEGOTIATION',
]);

interface ConnectionEvidence {
  details: Pick<ConnectDetails, 'resumption' | 'facts'>;
}

interface Expected {
  /** The run's `--key-exchange`; null: not set. */
  keyExchange: KeyExchange | null;
}

export function connectionFailure({ layer, code, reason }: FailureReason): Judgement {
  const message = `${layer}, ${code}: ${reason}`;
  if (UNSUPPORTED.has(code)) return { outcome: 'unsupported', code: 'unsupported', message };
  return failed({ code: FAILURES[layer] ?? 'handshake-failed', message });
}

function notResumed({ details: { resumption, facts } }: ConnectionEvidence): Problem | null {
  if (resumption !== 'none' && facts?.resumed === false) {
    const message = 'the client offered a ticket, but the server made a full handshake';
    return { code: 'not-resumed', message };
  }
  if (resumption === 'early-data' && facts?.earlyData === 'rejected') {
    const message = 'the server rejected the early data';
    return { code: 'early-data-rejected', message };
  }
  return null;
}

/** Some clients do not report the group by some transports. */
function wrongKeyExchange(
  { details: { facts } }: ConnectionEvidence,
  { keyExchange }: Expected,
): Problem | null {
  const expected = keyExchange && KEY_EXCHANGE_GROUPS[keyExchange];
  if (!expected || !facts?.group || facts.group === expected) return null;
  const message = `the key exchange was ${facts.group}, expected ${expected}`;
  return { code: 'wrong-key-exchange', message };
}

/** Checks that the connection has the requested resumption and key exchange. */
export const CHECKS = [notResumed, wrongKeyExchange];

const FAILURES: Partial<Record<FailureReason['layer'], string>> = {
  client: 'client-failed',
  dns: 'lookup-failed',
  http: 'request-failed',
};
