import type { Table } from '../../ground/experiment.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { type ConnectionLine, connectionLines } from './line.ts';

const TCP_PROTOCOLS = {
  'tls1.3': 'TCP/TLS1.3',
  'tls1.2': 'TCP/TLS1.2',
  tcp: 'TCP',
} as const satisfies Partial<Record<ConnectionTransport, string>>;

/** The columns of the files of B. Jaeger's study (2018), in their order. */
export const JAEGER_COLUMNS = {
  DnsLookupTime: ({ details }) => msText(details?.lookupMs),
  TimeOfMeasurement: ({ attempt }) => Math.floor(Date.parse(attempt.startedAt) / 1000),
  Url: ({ details, attempt }) => details?.host ?? attempt.subject,
  Path: ({ details, path }) => (details?.facts?.status == null ? '' : path),
  Ip: ({ server }) => server?.ip ?? null,
  Port: ({ server }) => server?.port ?? null,
  // Imported handshakes may have only their end.
  ConnectionEstablishmentTime: ({ attempt: { metrics } }) =>
    msText(metrics.maySendMs ?? metrics.completeMs),
  HttpResponse: ({ details }) => details?.facts?.status ?? null,
  Protocol: ({ transport, details }) =>
    transport === 'quic' ? quicText(details?.facts?.quicVersion ?? null) : TCP_PROTOCOLS[transport],
  TcpHandshakeTimeOptional: ({ attempt: { metrics } }) => msText(metrics.tcpMs),
} as const satisfies Record<string, (line: ConnectionLine) => CsvValue>;

export type JaegerColumn = keyof typeof JAEGER_COLUMNS;

/** Values of the column Protocol for TCP. */
export const TRANSPORT_OF_PROTOCOL: Readonly<Record<string, ConnectionTransport>> =
  Object.fromEntries(
    Object.entries(TCP_PROTOCOLS).map(([transport, protocol]) => [
      protocol,
      transport as ConnectionTransport,
    ]),
  );

/**
 * The connections of a run as the study's programs write them, with semicolons. They wrote no lines for failures and
 * had no warm-ups. The TCP program wrote no path; both programs wrote status 0 without a response.
 */
export const jaegerTable: Table = {
  file: 'connections.jaeger.csv',
  text: (run: RunRecord, attempts: readonly Observation[]) => {
    const made = attempts.filter(({ outcome, warmup }) => outcome === 'ok' && !warmup);
    const columns = { ...JAEGER_COLUMNS, Path: pathOfQuic, HttpResponse: statusText };
    const rows = connectionLines(run, made).map((line) =>
      Object.values(columns).map((valueIn) => valueIn(line)),
    );
    return [Object.keys(columns), ...rows].map((fields) => `${csvLine(fields, ';')}\n`).join('');
  },
};

function pathOfQuic(line: ConnectionLine): string {
  return line.transport === 'quic' ? JAEGER_COLUMNS.Path(line) : '';
}

function statusText(line: ConnectionLine): string {
  return String(JAEGER_COLUMNS.HttpResponse(line) ?? 0).padStart(3);
}

/** A time in ms with 3 decimals, as in the study. */
export function msText(ms: number | null | undefined): string | null {
  return ms == null ? null : ms.toFixed(3);
}

/** A version as in the study: `Q043` for Google's QUIC, `QUICv1` for the IETF's. */
function quicText(version: string | null): string {
  if (version === null) return 'QUIC';
  return /^Q\d+$/.test(version) ? version : `QUICv${version}`;
}
