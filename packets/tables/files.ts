import { existsSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import { fileLines } from '../../ground/records/file-lines.ts';
import {
  type CaptureRecord,
  LAYER_NAMES,
  type WireConnection,
  type WireDirection,
} from '../../ground/records/packets.ts';
import { type CapturedPacket, readCapture } from '../connections/capture-reader.ts';
import type { DissectionOptions } from '../dissection/dissect.ts';
import { flagNames, frameName, handshakesOf, quicPacketName } from '../dissection/names.ts';
import { isLost } from '../dissection/packet.ts';

/** Tables of a folder: a row per packet, and a row per connection. */
interface TableFiles {
  packetTable: string;
  connectionTable: string;
}

/** Creates both tables, and keeps the rows of completely read captures: a run may have been killed while it read one. */
export async function beginTables(
  { packetTable, connectionTable }: TableFiles,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  await keepRows(packetTable, PACKET_COLUMNS, known);
  await keepRows(connectionTable, CONNECTION_COLUMNS, known);
}

/**
 * Reads a capture and appends its rows to both tables.
 * @param each receives every packet as it is read
 * @throws what readCapture() throws
 */
export async function readIntoTables(
  capture: string,
  id: string,
  { packetTable, connectionTable }: TableFiles,
  options: Omit<DissectionOptions, 'complain'> = {},
  each: (packet: CapturedPacket) => Promise<void> = async () => {},
): Promise<CaptureRecord> {
  let rows: string[] = [];
  const flush = async () => {
    await appendFile(packetTable, rows.join(''));
    rows = [];
  };
  const record = await readCapture(capture, options, async (packet) => {
    rows.push(`${csvLine(packetRow(packet, id))}\n`);
    if (rows.length >= ROWS_AT_ONCE) await flush();
    await each(packet);
  });
  await flush();
  const lines = record.connections.map((each, place) =>
    csvLine(connectionRow(each, id, place + 1)),
  );
  await appendFile(connectionTable, lines.map((line) => `${line}\n`).join(''));
  return record;
}

const ROWS_AT_ONCE = 5000;

async function keepRows(
  file: string,
  columns: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${csvLine(columns)}\n`, { flag: 'wx' });
  if (known.size > 0 && existsSync(file)) {
    let rows: string[] = [];
    for await (const { bytes, number } of fileLines(file)) {
      const line = bytes.toString('utf8');
      if (number === 1 || !known.has(line.slice(0, line.indexOf(',')))) continue;
      rows.push(`${line}\n`);
      if (rows.length >= ROWS_AT_ONCE) {
        await appendFile(unfinished, rows.join(''));
        rows = [];
      }
    }
    await appendFile(unfinished, rows.join(''));
  }
  await rename(unfinished, file);
}

type Column = (connection: WireConnection) => CsvValue;

const OF_DIRECTION: Readonly<Record<string, keyof WireDirection>> = {
  packets: 'packets',
  bytes: 'bytes',
  lost_packets: 'lostPackets',
  ack_packets: 'ackPackets',
  retransmitted_packets: 'retransmittedPackets',
  retransmitted_bytes: 'retransmittedBytes',
  handshake_bytes: 'handshakeBytes',
  padding_bytes: 'paddingBytes',
  payload_bytes: 'payloadBytes',
};

const DIRECTIONS = { to_server: 'toServer', to_client: 'toClient' } as const;
const PHASES = { before_request: 'beforeRequest', after_request: 'afterRequest' } as const;

const OF_CONNECTION: Readonly<Record<string, Column>> = {
  transport: ({ transport }) => transport,
  client: ({ client }) => client,
  server: ({ server }) => server,
  host: ({ host }) => host,
  protocol: ({ protocol }) => protocol,
  tls_version: ({ tlsVersion }) => tlsVersion,
  cipher: ({ cipher }) => cipher,
  group: ({ group }) => group,
  opened: ({ opened }) => opened,
  requests: ({ requests }) => requests,
  began_ms: ({ beganMs }) => beganMs,
  client_hello_ms: ({ clientHelloMs }) => clientHelloMs ?? null,
  handshake_packets_first_ms: ({ handshakePackets }) => handshakePackets?.firstMs ?? null,
  handshake_packets_last_ms: ({ handshakePackets }) => handshakePackets?.lastMs ?? null,
  may_send_ms: ({ maySendMs }) => maySendMs,
  complete_ms: ({ completeMs }) => completeMs,
  confirmed_ms: ({ confirmedMs }) => confirmedMs,
  rtt_min_ms: ({ roundTripMs }) => roundTripMs?.least ?? null,
  rtt_median_ms: ({ roundTripMs }) => roundTripMs?.median ?? null,
  rtt_p95_ms: ({ roundTripMs }) => roundTripMs?.p95 ?? null,
  path_moved_ms: ({ moves }) => moves?.[0]?.beganMs ?? null,
  path_challenged_ms: ({ moves }) => moves?.[0]?.challengedMs ?? null,
  path_answered_ms: ({ moves }) => moves?.[0]?.answeredMs ?? null,
  goodput_kbps: ({ goodputKbps }) => goodputKbps,
  ...Object.fromEntries(
    Object.entries(DIRECTIONS).flatMap(([direction, key]) =>
      Object.entries(OF_DIRECTION).map(([name, field]): [string, Column] => [
        `${direction}_${name}`,
        (connection) => connection[key][field],
      ]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(PHASES).flatMap(([phase, key]) =>
      LAYER_NAMES.map((layer): [string, Column] => [
        `${phase}_${layer}_bytes`,
        (connection) => connection[key][layer],
      ]),
    ),
  ),
  closes: ({ closes }) => closes.map(({ by, name }) => `${by}: ${name}`).join('; ') || null,
};

export const CONNECTION_COLUMNS = ['load', 'connection', ...Object.keys(OF_CONNECTION)];

/** Row of wire-connections.csv; `place`: number of the connection in its capture, from 1. */
export function connectionRow(connection: WireConnection, load: string, place: number): CsvValue[] {
  return [load, place, ...Object.values(OF_CONNECTION).map((column) => column(connection))];
}

type PacketColumn = (packet: CapturedPacket, load: string) => CsvValue;

/** Columns of packets.csv. Entries of lists are separated by spaces. */
const OF_PACKET: Readonly<Record<string, PacketColumn>> = {
  load: (_, load) => load,
  connection: ({ connection }) => (connection === null ? null : connection + 1),
  n: ({ packet }) => packet.n,
  time_ms: ({ atMs }) => atMs,
  direction: ({ direction }) => direction && (direction === 'toServer' ? 'to-server' : 'to-client'),
  bytes: ({ packet }) => packet.bytes,
  protocol: ({ packet: { tcp, quic, udp } }) =>
    tcp ? 'tcp' : quic ? 'quic' : udp ? 'udp' : 'other',
  packet_type: ({ packet: { quic = [] } }) => quic.map(quicPacketName).join(' ') || null,
  packet_number: ({ packet: { quic = [] } }) => listOf(quic.map(({ number }) => number)),
  frames: ({ packet: { quic = [] } }) =>
    listOf(quic.flatMap(({ frames = [] }) => frames.map(frameName))),
  flags: ({ packet: { tcp } }) => (tcp ? flagNames(tcp.flags).join(' ') : null),
  tls_message: ({ packet }) => listOf(handshakesOf(packet)),
  stream_bytes: ({ packet: { tcp, quic = [] } }) =>
    tcp
      ? tcp.bytes
      : quic
          .flatMap(({ frames = [] }) => frames)
          .reduce((sum, { dataBytes = 0 }) => sum + dataBytes, 0),
  retransmission: ({ againBytes }) => (againBytes > 0 ? againBytes : null),
  lost: ({ packet }) => (isLost(packet) ? 'lost' : null),
};

export const PACKET_COLUMNS = Object.keys(OF_PACKET);

export function packetRow(packet: CapturedPacket, load: string): CsvValue[] {
  return Object.values(OF_PACKET).map((column) => column(packet, load));
}

function listOf(items: readonly (string | number | undefined)[]): string | null {
  return items.filter((item) => item !== undefined).join(' ') || null;
}
