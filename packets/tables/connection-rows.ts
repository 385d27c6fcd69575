import type { CsvValue } from '../../ground/records/csv-line.ts';
import {
  LAYER_NAMES,
  type WireConnection,
  type WireDirection,
} from '../../ground/records/packets.ts';

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

const WAYS = { to_server: 'toServer', to_client: 'toClient' } as const;
const PHASES = { before_request: 'beforeRequest', after_request: 'afterRequest' } as const;

/** The columns of wire-connections.csv: a row for each connection. */
const COLUMNS: Readonly<Record<string, Column>> = {
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
    Object.entries(WAYS).flatMap(([way, key]) =>
      Object.entries(OF_DIRECTION).map(([name, field]): [string, Column] => [
        `${way}_${name}`,
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

export const CONNECTION_COLUMNS = ['load', 'connection', ...Object.keys(COLUMNS)];

/** A row of wire-connections.csv; `place` counts a capture's connections from 1. */
export function connectionRow(connection: WireConnection, load: string, place: number): CsvValue[] {
  return [load, place, ...Object.values(COLUMNS).map((column) => column(connection))];
}
