import { type Host, hostText } from '../../ground/options/hosts.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { ProbedAddress, ProbeRecord } from '../../ground/records/probe.ts';
import { printable } from '../../ground/system/printed.mjs';
import { countText, decimalText } from '../../kit/text/number.ts';
import { shorten } from '../../kit/text/terminal.ts';

interface Column {
  heading: string;
  /** Minimum in the terminal; the first column is as wide as the hosts need. */
  width: number;
  text(record: ProbeRecord): string;
}

const NOT_KNOWN = '–';

const COLUMNS: readonly Column[] = [
  { heading: 'Host', width: 4, text: hostText },
  { heading: 'IPv4', width: 4, text: ({ addresses }) => familyText(addresses, 'ipv4') },
  { heading: 'IPv6', width: 4, text: ({ addresses }) => familyText(addresses, 'ipv6') },
  { heading: 'TLS', width: 7, text: tlsText },
  { heading: 'h3', width: 3, text: ({ h3 }) => yesText(h3) },
  { heading: 'QUIC', width: 5, text: ({ quicVersions }) => quicVersions?.join(' ') ?? NOT_KNOWN },
  { heading: 'Retry', width: 5, text: ({ retry }) => yesText(retry) },
  {
    heading: 'Amplification',
    width: 13,
    text: ({ amplification }) => (amplification === null ? NOT_KNOWN : decimalText(amplification)),
  },
  {
    heading: 'ALPN',
    width: 8,
    text: ({ alpnTogether }) => (alpnTogether === '' ? 'none' : (alpnTogether ?? NOT_KNOWN)),
  },
  { heading: 'ALPN, alone', width: 11, text: aloneText },
  {
    heading: 'Alt-Svc',
    width: 12,
    text: ({ status, altSvc }) => altSvc ?? noneIf(status !== null),
  },
  { heading: 'HTTPS record', width: 12, text: httpsRecordText },
  { heading: 'PQ', width: 3, text: ({ postQuantum }) => yesText(postQuantum) },
  { heading: 'Group', width: 14, text: ({ group }) => group ?? NOT_KNOWN },
  {
    heading: 'Chain',
    width: 5,
    text: ({ certificateChainBytes: bytes }) => (bytes === null ? NOT_KNOWN : countText(bytes)),
  },
  {
    heading: 'Tickets',
    width: 7,
    text: ({ sessionTickets }) => (sessionTickets === null ? NOT_KNOWN : String(sessionTickets)),
  },
  { heading: 'Cipher', width: 22, text: ({ cipher }) => cipher ?? NOT_KNOWN },
  { heading: 'Why not', width: 7, text: whyNot },
];

/** Numbers alone: the files and the table by system have the names. */
const SYSTEM: Column = {
  heading: 'AS',
  width: 8,
  text: ({ addresses }) => {
    const systems = addresses.flatMap(({ autonomousSystem = null }) => autonomousSystem ?? []);
    return [...new Set(systems.map(({ number }) => `AS${number}`))].join(' ') || 'none';
  },
};

/** @param hasSystems whether the user has a table of autonomous systems */
export function columnsFor(hasSystems: boolean): readonly Column[] {
  return hasSystems ? COLUMNS.toSpliced(1, 0, SYSTEM) : COLUMNS;
}

function yesText(value: boolean | null): string {
  if (value === null) return NOT_KNOWN;
  return value ? 'yes' : 'no';
}

function noneIf(isKnown: boolean): string {
  return isKnown ? 'none' : NOT_KNOWN;
}

function familyText(addresses: readonly ProbedAddress[], family: ProbedAddress['family']): string {
  const found = addresses.find((each) => each.family === family);
  if (found === undefined) return 'none';
  return yesText(found.tcp || found.udp);
}

function tlsText({ tls13, tls12, tls11, tls10 }: ProbeRecord): string {
  const versions: [version: string, made: boolean | null][] = [
    ['1.3', tls13],
    ['1.2', tls12],
    ['1.1', tls11],
    ['1.0', tls10],
  ];
  const made = versions.filter(([, each]) => each === true).map(([version]) => version);
  return made.join(' ') || noneIf(versions.some(([, each]) => each !== null));
}

function aloneText({ alpnH2, alpnHttp11 }: ProbeRecord): string {
  const picked = [alpnH2 === true && 'h2', alpnHttp11 === true && 'http/1.1'].filter(Boolean);
  return picked.join(' ') || noneIf(alpnH2 !== null || alpnHttp11 !== null);
}

function httpsRecordText({ httpsRecords }: ProbeRecord): string {
  if (httpsRecords === null) return NOT_KNOWN;
  const texts = httpsRecords.map(({ priority, target, alpn, port }) =>
    priority === 0
      ? `alias of ${target}`
      : [alpn.join(',') || 'no alpn', port === null ? '' : `:${port}`].join(''),
  );
  return texts.join('; ') || 'none';
}

/** Distinct failures of a host without any answer. */
function whyNot({ answered, failures }: ProbeRecord): string {
  if (answered) return '';
  const reasons = failures
    .filter(({ layer, code }) => ['dns', 'tcp', 'udp'].includes(layer) && code !== 'not-tried')
    .map(({ layer, code }) => `${layer} ${code}`);
  return [...new Set(reasons)].join(', ');
}

/** The files have the complete texts. */
const MAX_CHARACTERS = 40;

/** Lines of a table that grows: typical widths, because later rows are not known yet. */
export function growingTable(hosts: readonly Host[], hasSystems = false) {
  const columns = columnsFor(hasSystems);
  const longest = hosts.reduce((most, host) => Math.max(most, hostText(host).length), 0);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => {
        const width = column === 0 ? Math.min(longest, MAX_CHARACTERS) : columns[column]?.width;
        return shorten(printable(text), MAX_CHARACTERS).padEnd(width ?? 0);
      })
      .join('  ')
      .trimEnd();
  return {
    head: line(columns.map(({ heading }) => heading)),
    row: (record: ProbeRecord) => line(columns.map(({ text }) => text(record))),
  };
}

const OF_CSV: readonly [name: string, value: (record: ProbeRecord) => CsvValue | boolean][] = [
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
  ['ipv4_as', (record) => systemNumber(record, 'ipv4')],
  ['ipv4_as_name', (record) => addressOf(record, 'ipv4')?.autonomousSystem?.name ?? null],
  ['ipv6_as', (record) => systemNumber(record, 'ipv6')],
  ['ipv6_as_name', (record) => addressOf(record, 'ipv6')?.autonomousSystem?.name ?? null],
  ['tls_ms', ({ tlsMs }) => tlsMs ?? null],
  ['quic_ms', ({ quicMs }) => quicMs ?? null],
];

export const CSV_HEAD = csvLine(OF_CSV.map(([name]) => name));

/** Row of probes.csv: null is empty, entries of lists are separated by spaces. */
export function csvRow(record: ProbeRecord): string {
  return csvLine(
    OF_CSV.map(([, value]) => {
      const of = value(record);
      return typeof of === 'boolean' ? String(of) : of;
    }),
  );
}

function addressOf({ addresses }: ProbeRecord, family: ProbedAddress['family']) {
  return addresses.find((each) => each.family === family);
}

/** 0: not routed; null: not known. */
function systemNumber(record: ProbeRecord, family: ProbedAddress['family']): number | null {
  const system = addressOf(record, family)?.autonomousSystem;
  return system === undefined ? null : (system?.number ?? 0);
}

function listed(values: readonly string[] | null | undefined): string | null {
  return values == null ? null : [...new Set(values)].join(' ');
}
