import type { ConnectDetails, FailureReason } from '../../records/connection-attempt.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../../records/key-exchange.ts';
import type { Outcome } from '../../records/observation.ts';
import { NO_ADDRESS } from './lookups.ts';

/** What came of an attempt, as its record says it. */
export interface Verdict {
  outcome: Outcome;
  code: string | null;
  message: string | null;
}

/** What the other side says when it cannot do what was asked for at all: no failure, and no time. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  NO_ADDRESS,
  'unsupported',
  'no-ticket',
  'protocol_version',
  'no_application_protocol',
  'VERSION_NEGOTIATION',
]);

/**
 * Whether a connection was what was asked for; if not, why, with layer and code.
 * @param keyExchange what was asked of client and server; null: nothing, at least of the server
 */
export function verdictOn(
  error: FailureReason | null,
  { resumption, facts }: Pick<ConnectDetails, 'resumption' | 'facts'>,
  keyExchange: KeyExchange | null = null,
): Verdict {
  if (error !== null) {
    const { layer, code, reason } = error;
    const message = `${layer}, ${code}: ${reason}`;
    if (UNSUPPORTED.has(code)) return { outcome: 'unsupported', code: 'unsupported', message };
    return { outcome: 'failed', code: FAILURES[layer] ?? 'handshake-failed', message };
  }
  if (resumption !== 'none' && facts?.resumed === false) {
    return invalid('not-resumed', 'a ticket was offered, and the server made a full handshake');
  }
  if (resumption === 'early-data' && facts?.earlyData === 'rejected') {
    return invalid('early-data-rejected', 'data was sent along, and the server did not take it');
  }
  const asked = keyExchange && KEY_EXCHANGE_GROUPS[keyExchange];
  // Not every client tells it, by every way.
  if (asked && facts?.group && facts.group !== asked) {
    return invalid(
      'wrong-key-exchange',
      `keys were exchanged by ${facts.group}, and ${asked} was asked for`,
    );
  }
  return { outcome: 'ok', code: null, message: null };
}

const FAILURES: Partial<Record<FailureReason['layer'], string>> = {
  client: 'client-failed',
  dns: 'lookup-failed',
  http: 'request-failed',
};

function invalid(code: string, message: string): Verdict {
  return { outcome: 'invalid', code, message };
}
