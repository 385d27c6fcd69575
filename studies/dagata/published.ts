import { dataOf, numberOf, onlyRow } from '../csv-rows.ts';

const readTable = dataOf(import.meta.dirname);

type Protocol = 'quic' | 'tcp';

interface PublishedCount {
  protocol: Protocol;
  name: string;
  count: number;
}

/** Close reason of quiche's client after a normal connection. */
const NORMAL_CLOSE = 'kthxbye';

interface PublishedErrors {
  attempts: Record<Protocol, number>;
  successes: Record<Protocol, number>;
  /** QUIC closes with a reason, all called connection errors. */
  called: number;
  /** Normal closes among them. */
  normal: number;
  /** Those that the study counts as TLS errors, and the alerts over TCP. */
  tls: Record<Protocol, number>;
}

/** The errors of both protocols, added up from tables 5.1, 5.4 and 5.5. */
export function publishedErrors(): PublishedErrors {
  const attempts = readTable('attempts.csv', ['protocol', 'attempts', 'successful'], (row) => ({
    protocol: protocolOf(row.protocol),
    attempts: numberOf(row.attempts),
    successful: numberOf(row.successful),
  }));
  const errors = readCounts('errors.csv');
  const byQuic = errors.filter(({ protocol }) => protocol === 'quic');
  const of = (key: 'attempts' | 'successful', protocol: Protocol) =>
    sum(attempts.filter((row) => row.protocol === protocol).map((row) => row[key]));
  return {
    attempts: { quic: of('attempts', 'quic'), tcp: of('attempts', 'tcp') },
    successes: { quic: of('successful', 'quic'), tcp: of('successful', 'tcp') },
    called: sum(byQuic.map(({ count }) => count)),
    normal: sum(byQuic.filter(({ name }) => name === NORMAL_CLOSE).map(({ count }) => count)),
    tls: {
      quic: sum(byQuic.filter(({ name }) => name.includes('TLS')).map(({ count }) => count)),
      tcp: sum(errors.filter(({ protocol }) => protocol === 'tcp').map(({ count }) => count)),
    },
  };
}

/** The first packets of one connection by TCP (figure 4.1), in ms since its SYN. */
export function publishedTcpConnection(): Record<
  'SYN' | 'SYN/ACK' | 'ACK' | 'ClientHello',
  number
> {
  const rows = readTable('tcp-connection.csv', ['packet', 'at_s'], ({ packet, at_s }) => ({
    packet,
    atMs: 1000 * numberOf(at_s),
  }));
  const at = (name: string) =>
    onlyRow(
      rows,
      ({ packet }) => packet === name,
      `dagata/data/tcp-connection.csv has no packet ${name}`,
    ).atMs;
  const since = (name: string) => Math.round(at(name) - at('SYN'));
  return {
    SYN: 0,
    'SYN/ACK': since('SYN/ACK'),
    ACK: since('ACK'),
    ClientHello: since('ClientHello'),
  };
}

/** Peak of a distribution according to the text: the centre of its range, in ms. */
export function publishedPeakMs(
  time: 'transport handshake' | 'before data transfer',
  protocol: Protocol,
  location: 1 | 2,
): number {
  const peaks = readTable(
    'peaks.csv',
    ['time', 'protocol', 'location', 'from_ms', 'to_ms'],
    (row) => ({ ...row, middleMs: (numberOf(row.from_ms) + numberOf(row.to_ms)) / 2 }),
  );
  return onlyRow(
    peaks,
    (row) => row.time === time && row.protocol === protocol && row.location === String(location),
    `dagata/data/peaks.csv has no ${time} by ${protocol} at ${location}`,
  ).middleMs;
}

/** A QUIC connection of the published logs, in ms. */
interface PublishedQuicConnection {
  host: string;
  /** From the Initial of a reserved version to that of version 1: Version Negotiation. */
  negotiationMs: number;
  /** The notebook's "transport handshake": first to last Handshake packet with a frame other than CRYPTO. */
  handshakeMs: number;
  /** Its "time before data transfer": first packet to first 1-RTT packet. */
  beforeDataMs: number;
  /** From the first packet to the request. */
  requestMs: number;
  leastRttMs: number;
}

export function publishedQuicConnections(): PublishedQuicConnection[] {
  return readTable(
    'quic-connections.csv',
    [
      'host',
      'reserved_version_ms',
      'version_1_ms',
      'first_handshake_ack_ms',
      'last_handshake_ack_ms',
      'first_1rtt_ms',
      'request_ms',
      'least_rtt_ms',
    ],
    (row) => {
      const beganMs = numberOf(row.reserved_version_ms);
      return {
        host: row.host,
        negotiationMs: numberOf(row.version_1_ms) - beganMs,
        handshakeMs: numberOf(row.last_handshake_ack_ms) - numberOf(row.first_handshake_ack_ms),
        beforeDataMs: numberOf(row.first_1rtt_ms) - beganMs,
        requestMs: numberOf(row.request_ms) - beganMs,
        leastRttMs: numberOf(row.least_rtt_ms),
      };
    },
  );
}

function readCounts(file: string): PublishedCount[] {
  return readTable(file, ['protocol', 'reason', 'location_1', 'location_2'], (row) => ({
    protocol: protocolOf(row.protocol),
    name: row.reason,
    count: numberOf(row.location_1) + numberOf(row.location_2),
  }));
}

function protocolOf(text: string): Protocol {
  if (text !== 'quic' && text !== 'tcp') throw new Error(`got ${text}, expected quic or tcp`);
  return text;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
