import { dataOf, numberOf, onlyRow } from '../csv-rows.ts';

const readTable = dataOf(import.meta.dirname);

type Tls = 'tls1.2' | 'tls1.3';

/** Round trips of a full handshake beyond those of QUIC (RFC 8446, RFC 5246), TCP's own included. */
export const MORE_ROUND_TRIPS: Readonly<Record<Tls, number>> = { 'tls1.3': 1, 'tls1.2': 2 };

/** Time by which TLS connections were behind QUIC connections, in ms. */
interface PublishedLag {
  behindMs: Record<Tls, number>;
  /** The round-trip time that would explain the difference of the handshakes. */
  neededRttMs: Record<Tls, number>;
}

/** Of connections from a place. */
export function publishedConnectionLag(place: 'all' | 'India' | 'Munich'): PublishedLag {
  const rows = readTable('connections.csv', ['place', 'behind_quic', 'ms'], (row) => row);
  return lagOf((tls) => {
    const isMeant = (row: (typeof rows)[number]) => row.place === place && row.behind_quic === tls;
    return numberOf(
      onlyRow(rows, isMeant, `panda/data/connections.csv has no ${tls} of ${place}`).ms,
    );
  });
}

/** Medians of the time to the first byte, in ms; for QUIC of its most frequent versions. */
export function publishedFirstBytesMs(): Record<'quic' | Tls, number> {
  const rows = readTable('first-bytes.csv', ['protocol', 'ms'], (row) => row);
  const of = (protocol: string) => {
    const row = rows.find((each) => each.protocol === protocol);
    if (!row) throw new Error(`studies/panda/data/first-bytes.csv has no ${protocol}`);
    return numberOf(row.ms);
  };
  return { quic: of('Q035-Q043'), 'tls1.2': of('tls1.2'), 'tls1.3': of('tls1.3') };
}

/** Of first bytes. */
export function publishedFirstByteLag(): PublishedLag {
  const firstBytesMs = publishedFirstBytesMs();
  return lagOf((tls) => firstBytesMs[tls] - firstBytesMs.quic);
}

function lagOf(behindMsOf: (tls: Tls) => number): PublishedLag {
  const behindMs = { 'tls1.2': behindMsOf('tls1.2'), 'tls1.3': behindMsOf('tls1.3') };
  return {
    behindMs,
    neededRttMs: {
      'tls1.2': behindMs['tls1.2'] / MORE_ROUND_TRIPS['tls1.2'],
      'tls1.3': behindMs['tls1.3'] / MORE_ROUND_TRIPS['tls1.3'],
    },
  };
}

/** Median lead of videos over QUIC, in ms, from Munich and from India. */
export function publishedVideoLeadMs(
  time: 'connection' | 'prebuffering' | 'start-up',
): Record<'India' | 'Munich', number> {
  const rows = readTable('video.csv', ['time', 'place', 'quic_ahead_ms'], (row) => row);
  const of = (place: string) => {
    const row = rows.find((each) => each.time === time && each.place === place);
    if (!row) throw new Error(`studies/panda/data/video.csv has no ${time} from ${place}`);
    return numberOf(row.quic_ahead_ms);
  };
  return { India: of('India'), Munich: of('Munich') };
}
