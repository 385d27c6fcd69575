import type { Table } from '../../ground/experiment.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import { dimensionColumns, laterColumns } from '../../ground/records/dimensions.ts';
import { JAEGER_COLUMNS, type JaegerColumn, msText } from './jaeger.ts';
import { type ConnectionLine, connectionLines } from './line.ts';

/** Columns of connections.csv in addition to the ten columns of B. Jaeger's study. */
const OWN_COLUMNS = {
  transport: ({ transport }) => transport,
  stack: ({ attempt }) => attempt.stack,
  rtt_added_ms: ({ attempt }) => attempt.network.rttMs,
  outcome: ({ attempt }) => attempt.outcome,
  code: ({ attempt }) => attempt.code,
  may_send_ms: ({ attempt }) => msText(attempt.metrics.maySendMs),
  complete_ms: ({ attempt }) => msText(attempt.metrics.completeMs),
  confirmed_ms: ({ attempt }) => msText(attempt.metrics.confirmedMs),
  first_byte_ms: ({ attempt }) => msText(attempt.metrics.firstByteMs),
  family: ({ family }) => family,
  rtt_ms: ({ details }) => msText(details?.facts?.rttMs),
  path_rtt_ms: ({ attempt }) => msText(attempt.network.measuredRttMs),
  tcp_ms: ({ attempt }) => msText(attempt.metrics.tcpMs),
  tls_ms: (line) => msText(tlsMs(line)),
  total_ms: ({ attempt }) => msText(attempt.metrics.totalMs),
  round_trips: (line) => roundTrips(line),
  tls_version: ({ details }) => details?.facts?.tlsVersion ?? null,
  cipher: ({ details }) => details?.facts?.cipher ?? null,
  group: ({ details }) => details?.facts?.group ?? null,
  alpn: ({ details }) => details?.facts?.alpn ?? null,
  quic_version: ({ details }) => details?.facts?.quicVersion ?? null,
  retry: ({ details }) => flagText(details?.facts?.retry),
  ipv: ({ attempt }) => attempt.factors.ipv ?? null,
  resumption: ({ attempt, details }) => attempt.factors.resumption ?? details?.resumption ?? null,
  resumed: ({ details }) => flagText(details?.facts?.resumed),
  early_data: ({ details }) => details?.facts?.earlyData ?? null,
  bytes_sent: ({ details }) => details?.facts?.bytesSent ?? null,
  bytes_received: ({ details }) => details?.facts?.bytesReceived ?? null,
  certificate_chain_bytes: ({ details }) => details?.facts?.certificateChainBytes ?? null,
  body_bytes: ({ details }) => details?.facts?.bodyBytes ?? null,
  alt_svc: ({ details }) => details?.facts?.altSvc ?? null,
  error_layer: ({ details }) => details?.error?.layer ?? null,
  error_code: ({ details }) => details?.error?.code ?? null,
  error_reason: ({ details, attempt }) => details?.error?.reason ?? attempt.message,
  client: ({ details }) => details?.client ?? null,
  client_port: ({ attempt }) => attempt.connections?.opened[0]?.clientPort ?? null,
  seen_handshake: ({ attempt }) => attempt.connections?.opened[0]?.handshake ?? null,
  path_up_packets: ({ attempt }) => attempt.path?.toServer.packets ?? null,
  path_up_bytes: ({ attempt }) => attempt.path?.toServer.bytes ?? null,
  path_down_packets: ({ attempt }) => attempt.path?.toClient.packets ?? null,
  path_down_bytes: ({ attempt }) => attempt.path?.toClient.bytes ?? null,
  subject: ({ attempt }) => attempt.subject,
  arm: ({ attempt }) => attempt.arm,
  network: ({ attempt }) => attempt.network.name,
  backend: ({ attempt }) => attempt.network.backend,
  ...networkColumns(1, 2),
  warmup: ({ attempt }) => flagText(attempt.warmup),
  block: ({ attempt }) => attempt.block,
  order: ({ attempt }) => attempt.order,
  id: ({ attempt }) => attempt.id,
  machine: ({ machine }) => machine,
  ...networkColumns(3, 3),
} as const satisfies Record<string, (line: ConnectionLine) => CsvValue>;

/** Columns of runs with a table of autonomous systems; 0: not routed. */
const SYSTEM_COLUMNS = {
  as_number: ({ details }) => {
    const system = details?.autonomousSystem;
    return system === undefined ? null : (system?.number ?? 0);
  },
  as_name: ({ details }) => details?.autonomousSystem?.name ?? null,
} as const satisfies Record<string, (line: ConnectionLine) => CsvValue>;

/** Columns of the network, named by the dimensions. */
function networkColumns(first: number, last: number): Record<never, never> {
  return Object.fromEntries(ofNetwork(dimensionColumns(first, last)));
}

function ofNetwork(columns: ReturnType<typeof dimensionColumns>) {
  return columns.map(
    ([column, of]) => [column, ({ attempt }: ConnectionLine) => of(attempt.network)] as const,
  );
}

type CommonColumn = JaegerColumn | keyof typeof OWN_COLUMNS;

export type ConnectionColumn = CommonColumn | keyof typeof SYSTEM_COLUMNS;

/** The columns of every connections.csv, in order. */
const COLUMNS: Readonly<Record<CommonColumn, (line: ConnectionLine) => CsvValue>> = {
  ...JAEGER_COLUMNS,
  ...OWN_COLUMNS,
};

export const CONNECTION_COLUMNS = Object.keys(COLUMNS) as CommonColumn[];

/** All attempts of a run, including warm-ups; the table begins with the columns of B. Jaeger's study. */
export const connectionTable: Table = {
  file: 'connections.csv',
  text(run, attempts, invocations) {
    const lines = connectionLines(run, attempts, invocations);
    const columns = {
      ...COLUMNS,
      ...Object.fromEntries(ofNetwork(laterColumns(run.networks, 3))),
      ...(lines.some(({ details }) => details?.autonomousSystem !== undefined) && SYSTEM_COLUMNS),
    };
    return [
      csvLine(Object.keys(columns)),
      ...lines.map((line) => csvLine(Object.values(columns).map((valueIn) => valueIn(line)))),
    ]
      .map((line) => `${line}\n`)
      .join('');
  },
};

/** Duration of the TLS handshake over TCP. */
function tlsMs({ transport, attempt: { metrics } }: ConnectionLine): number | null {
  const { maySendMs, tcpMs } = metrics;
  if (transport === 'quic' || transport === 'tcp' || maySendMs == null || tcpMs == null)
    return null;
  return maySendMs - tcpMs;
}

/** Time until the client may send, in round trips of the measured path. */
function roundTrips({ attempt: { metrics, network } }: ConnectionLine): number | null {
  const { measuredRttMs } = network;
  if (metrics.maySendMs == null || measuredRttMs === null || measuredRttMs === 0) return null;
  return metrics.maySendMs / measuredRttMs;
}

function flagText(flag: boolean | null | undefined): string | null {
  return flag == null ? null : String(flag);
}
