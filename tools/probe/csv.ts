import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { ProbedAddress, ProbeRecord } from '../../ground/records/probe.ts';

const COLUMNS: readonly [name: string, value: (record: ProbeRecord) => CsvValue | boolean][] = [
  ['host', ({ host }) => host],
  ['port', ({ port }) => port],
  ['started_at', ({ startedAt }) => startedAt],
  ['took_ms', ({ tookMs }) => tookMs],
  ['answered', ({ answered }) => answered],
  ['ipv4', (record) => addressOf(record, 'ipv4')?.address ?? null],
  ['ipv4_tcp', (record) => addressOf(record, 'ipv4')?.tcp ?? null],
  ['ipv4_udp', (record) => addressOf(record, 'ipv4')?.udp ?? null],
  ['ipv6', (record) => addressOf(record, 'ipv6')?.address ?? null],
  ['ipv6_tcp', (record) => addressOf(record, 'ipv6')?.tcp ?? null],
  ['ipv6_udp', (record) => addressOf(record, 'ipv6')?.udp ?? null],
  ['tls_1_3', ({ tls13 }) => tls13],
  ['tls_1_2', ({ tls12 }) => tls12],
  ['tls_1_1', ({ tls11 }) => tls11],
  ['tls_1_0', ({ tls10 }) => tls10],
  ['tls_version', ({ tlsVersion }) => tlsVersion],
  ['cipher', ({ cipher }) => cipher],
  ['group', ({ group }) => group],
  ['post_quantum', ({ postQuantum }) => postQuantum],
  ['certificate', ({ certificate }) => certificate],
  ['certificate_chain_bytes', ({ certificateChainBytes }) => certificateChainBytes],
  ['session_tickets', ({ sessionTickets }) => sessionTickets],
  ['alpn', ({ alpnTogether }) => alpnTogether],
  ['alpn_h2', ({ alpnH2 }) => alpnH2],
  ['alpn_http_1_1', ({ alpnHttp11 }) => alpnHttp11],
  ['status', ({ status }) => status],
  ['alt_svc', ({ altSvc }) => altSvc],
  ['https_records', ({ httpsRecords }) => httpsRecords?.length ?? null],
  ['https_record_alpn', ({ httpsRecords }) => listed(httpsRecords?.flatMap(({ alpn }) => alpn))],
  ['h3', ({ h3 }) => h3],
  ['quic_versions', ({ quicVersions }) => listed(quicVersions)],
  ['retry', ({ retry }) => retry],
  ['unvalidated_sent_bytes', ({ unvalidatedSentBytes }) => unvalidatedSentBytes],
  ['unvalidated_received_bytes', ({ unvalidatedReceivedBytes }) => unvalidatedReceivedBytes],
  ['amplification', ({ amplification }) => amplification],
  [
    'failures',
    ({ failures }) =>
      failures.map((each) => `${each.question}: ${each.layer} ${each.code}`).join('; '),
  ],
];

/** The first line of probes.csv. */
export const CSV_HEAD = csvLine(COLUMNS.map(([name]) => name));

/** A host's line in probes.csv: null is empty, lists have blanks between their entries. */
export function csvRow(record: ProbeRecord): string {
  return csvLine(
    COLUMNS.map(([, value]) => {
      const of = value(record);
      return typeof of === 'boolean' ? String(of) : of;
    }),
  );
}

function addressOf({ addresses }: ProbeRecord, family: ProbedAddress['family']) {
  return addresses.find((each) => each.family === family);
}

function listed(values: readonly string[] | null | undefined): string | null {
  return values == null ? null : [...new Set(values)].join(' ');
}
