import type { CsvValue } from '../../ground/records/csv-line.ts';
import type { PlacedPacket } from '../connections/capture-reader.ts';
import { flagNames, frameName, handshakesOf, quicPacketName } from '../dissection/names.ts';
import { isLost } from '../dissection/packet.ts';

type Column = (packet: PlacedPacket, load: string) => CsvValue;

/** The columns of packets.csv: a row for each packet. Lists have blanks between their items. */
const COLUMNS: Readonly<Record<string, Column>> = {
  load: (_, load) => load,
  connection: ({ connection }) => (connection === null ? null : connection + 1),
  n: ({ packet }) => packet.n,
  time_ms: ({ atMs }) => atMs,
  direction: ({ way }) => way && (way === 'toServer' ? 'to-server' : 'to-client'),
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

export const PACKET_COLUMNS = Object.keys(COLUMNS);

export function packetRow(packet: PlacedPacket, load: string): CsvValue[] {
  return Object.values(COLUMNS).map((column) => column(packet, load));
}

function listOf(items: readonly (string | number | undefined)[]): string | null {
  return items.filter((item) => item !== undefined).join(' ') || null;
}
