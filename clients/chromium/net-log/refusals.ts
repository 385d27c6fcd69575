import type { Refusals } from '../../refusals.ts';
import { createEventReader } from './events.ts';

/** Errors from closing the browser. */
const EXPECTED_END_ERRORS = ['QUIC_NO_ERROR', 'QUIC_CONNECTION_CANCELLED', 'QUIC_PEER_GOING_AWAY'];

/**
 * Reads why QUIC sessions with a host ended, and how its certificates were verified, in order.
 * @param lines of a NetLog, possibly truncated
 */
export async function readRefusals(
  lines: AsyncIterable<string> | Iterable<string>,
  host: string,
): Promise<Refusals> {
  const reader = createEventReader();
  const sessions = new Set<number>();
  const chains = new Map<number, string[]>();
  const refusals: Refusals = { quicEnds: [], hasQuic: false, verifications: [] };
  for await (const line of lines) {
    const event = reader.read(line);
    if (event === null) continue;
    const { name, phase, params } = event;
    const { id } = event.source;
    if (name === 'QUIC_SESSION' && phase === 'begin' && params.host === host) sessions.add(id);
    if (name === 'QUIC_SESSION_CLOSED' && sessions.delete(id)) {
      const number = Number(params.quic_error);
      const error = reader.names('quicError').get(number) ?? `QUIC error ${number}`;
      if (EXPECTED_END_ERRORS.includes(error)) continue;
      const details = String(params.details ?? '');
      refusals.quicEnds.push({ error, details, fromServer: params.from_peer === true });
    }
    if (name !== 'CERT_VERIFIER_JOB') continue;
    if (phase === 'begin' && params.host === host) chains.set(id, textsOf(params.certificates));
    const chain = chains.get(id);
    // A cancelled verification has no result.
    if (phase !== 'end' || chain === undefined || params.cert_status === undefined) continue;
    const status = Number(params.cert_status);
    const number = Number(params.net_error ?? 0);
    refusals.verifications.push({
      error: number === 0 ? '' : (reader.names('netError').get(number) ?? `error ${number}`),
      problems: [...reader.names('certStatusFlag')].flatMap(([flag, word]) =>
        (status & flag) === 0 ? [] : [word],
      ),
      isKnownRoot: params.is_issued_by_known_root === true,
      chain,
    });
  }
  refusals.hasQuic = sessions.size > 0;
  return refusals;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
