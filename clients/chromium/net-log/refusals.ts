import { createEventReader } from './events.ts';

/** An end of a QUIC session that nobody had asked for. */
export interface QuicSessionEnd {
  /** As Chromium calls it: QUIC_NETWORK_IDLE_TIMEOUT. */
  error: string;
  /** Chromium's or the server's own words. */
  details: string;
  fromServer: boolean;
}

/** What Chromium found when it verified a server's certificates. */
export interface Verification {
  /** Empty: they are good. Otherwise as Chromium calls it: ERR_CERT_AUTHORITY_INVALID. */
  error: string;
  /** What is wrong with them, one word each: AUTHORITY_INVALID, COMMON_NAME_INVALID. */
  problems: string[];
  /** Whether Chromium has their root from itself, and from nobody on this machine. */
  isKnownRoot: boolean;
  /** PEM, as they were sent. */
  chain: string[];
}

/** Why a browser did not get what it wanted of a host. */
export interface Refusals {
  quicEnds: QuicSessionEnd[];
  /** Whether a QUIC session with the host has not ended: it is there, or is being made. */
  hasQuic: boolean;
  verifications: Verification[];
}

/** Ends that come with the browser's own. */
const EXPECTED_END_ERRORS = ['QUIC_NO_ERROR', 'QUIC_CONNECTION_CANCELLED', 'QUIC_PEER_GOING_AWAY'];

/**
 * Reads why QUIC sessions with a host ended and what became of its certificates, in the order of the lines.
 * @param lines of a NetLog, which may be cut
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
    // One that was cancelled found nothing.
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
