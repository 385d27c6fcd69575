import { mean } from '../../statistics/mean.ts';
import { dataOf, numberOf } from '../csv-rows.ts';

const readTable = dataOf(import.meta.dirname);

/** TCP is TCP with TLS 1.3. */
export type PublishedProtocol = 'quic' | 'tcp';

/** Round-trip times that the study added. */
export const PUBLISHED_DELAYS_MS = [0, 10, 20, 50] as const;

export const LONGEST_DELAY_MS = 50;

interface Cell {
  protocol: PublishedProtocol;
  /** Added to the round trip. */
  delayMs: number;
}

/** The parts that the study timed at the server, in ms. */
interface Parts {
  /** From QUIC's first packet, or from TCP's accepted connection, to the end of the handshake. */
  handshakeMs: number;
  /** Until the first byte of the message. */
  firstByteMs: number;
  /** Until the client announces the end: “content transfer”. */
  transferMs: number;
  /** Until the socket is closed. */
  closeMs: number;
}

/** A run of the study. Its packets were captured at the client, outside the delay, and times count from the first packet. */
export interface PublishedRun extends Cell, Parts {
  /** Mean of the pings during the run. */
  pingMs: number;
  /** From SYN to ACK; null: QUIC. */
  tcpHandshakeMs: number | null;
  /** Send time of the packet with the message. */
  messageSentMs: number;
  /** Send time of the packet that announces the end. */
  endSentMs: number;
  lastPacketMs: number;
}

/** All published runs: ten of each protocol with each delay. */
export function publishedRuns(): PublishedRun[] {
  return readTable(
    'runs.csv',
    [
      'protocol',
      'delay_ms',
      'ping_ms',
      ...PART_COLUMNS,
      'tcp_handshake_ms',
      'message_sent_ms',
      'end_sent_ms',
      'last_packet_ms',
    ],
    (row) => ({
      ...cellOf(row),
      ...partsOf(row),
      pingMs: numberOf(row.ping_ms),
      tcpHandshakeMs: row.tcp_handshake_ms === '' ? null : numberOf(row.tcp_handshake_ms),
      messageSentMs: numberOf(row.message_sent_ms),
      endSentMs: numberOf(row.end_sent_ms),
      lastPacketMs: numberOf(row.last_packet_ms),
    }),
  );
}

export function printedMeans(): (Cell & Parts)[] {
  return readTable('printed-means.csv', ['protocol', 'delay_ms', ...PART_COLUMNS], (row) => ({
    ...cellOf(row),
    ...partsOf(row),
  }));
}

/** The mean over rows of one protocol with one delay, in ms. */
export function meanAt<Row extends Cell>(
  rows: readonly Row[],
  protocol: PublishedProtocol,
  delayMs: number,
  of: (row: Row) => number,
): number {
  const own = rows.filter((row) => row.protocol === protocol && row.delayMs === delayMs);
  return mean(own.map(of)) ?? Number.NaN;
}

/** Growth of that mean from no delay to the longest, in round trips of added delay. */
export function growthOf<Row extends Cell>(
  rows: readonly Row[],
  protocol: PublishedProtocol,
  of: (row: Row) => number,
): number {
  const at = (delayMs: number) => meanAt(rows, protocol, delayMs, of);
  return (at(LONGEST_DELAY_MS) - at(0)) / LONGEST_DELAY_MS;
}

const PART_COLUMNS = ['handshake_ms', 'first_byte_ms', 'transfer_ms', 'close_ms'] as const;

function cellOf(fields: Record<'protocol' | 'delay_ms', string>): Cell {
  const { protocol } = fields;
  if (protocol !== 'quic' && protocol !== 'tcp') {
    throw new Error(`got the protocol "${protocol}", expected quic or tcp`);
  }
  return { protocol, delayMs: numberOf(fields.delay_ms) };
}

function partsOf(fields: Record<(typeof PART_COLUMNS)[number], string>): Parts {
  return {
    handshakeMs: numberOf(fields.handshake_ms),
    firstByteMs: numberOf(fields.first_byte_ms),
    transferMs: numberOf(fields.transfer_ms),
    closeMs: numberOf(fields.close_ms),
  };
}
