import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { median } from '../../../../statistics/median.ts';
import { csvRows } from '../../../csv-rows.ts';

const DATA = path.join(import.meta.dirname, '..', '..', 'data');

const COLUMNS = [
  'Url',
  'TimeOfMeasurement',
  'Protocol',
  'ConnectionEstablishmentTime',
  'TcpHandshakeTimeOptional',
] as const;

/** The times of one host in a published file, in ms. */
export interface HostTimes {
  host: string;
  /** Median of its TCP handshakes. */
  rttMs: number;
  /** Google's version that it speaks; undefined: no connection by QUIC. */
  quicVersion: string | undefined;
  /** Medians until the handshake was complete; undefined: no handshake. */
  quicMs: number | undefined;
  tls12Ms: number | undefined;
  tls13Ms: number | undefined;
}

/** A host by a protocol in one minute, as published. */
interface Row {
  host: string;
  minute: number;
  protocol: string;
  tookMs: number;
  tcpMs: number | null;
}

const known = new Map<string, readonly Row[]>();

/** Contents of a published file, read once. */
export function publishedRows(file: string): readonly Row[] {
  const rows = known.get(file) ?? readRows(file);
  known.set(file, rows);
  return rows;
}

function readRows(file: string): Row[] {
  const text = gunzipSync(readFileSync(path.join(DATA, `${file}.csv.gz`))).toString('utf8');
  // Its columns are separated by semicolons, and no value has a comma.
  return csvRows(text.replaceAll(';', ','), COLUMNS).map((fields) => ({
    host: fields.Url,
    minute: Math.floor(Number(fields.TimeOfMeasurement) / 60),
    protocol: fields.Protocol,
    tookMs: Number(fields.ConnectionEstablishmentTime),
    tcpMs: fields.TcpHandshakeTimeOptional === '' ? null : Number(fields.TcpHandshakeTimeOptional),
  }));
}

/** Medians of each host that has a TCP handshake. */
export function hostTimes(rows: readonly Row[]): HostTimes[] {
  return [...Map.groupBy(rows, ({ host }) => host)].flatMap(([host, own]) => {
    const rttMs = median(own.flatMap(({ tcpMs }) => tcpMs ?? []));
    if (rttMs === null) return [];
    const medianOf = (isWanted: (protocol: string) => boolean) =>
      median(own.filter(({ protocol }) => isWanted(protocol)).map(({ tookMs }) => tookMs)) ??
      undefined;
    return [
      {
        host,
        rttMs,
        quicVersion: own.find(({ protocol }) => protocol.startsWith('Q'))?.protocol,
        quicMs: medianOf((protocol) => protocol.startsWith('Q')),
        tls12Ms: medianOf((protocol) => protocol === 'TCP/TLS1.2'),
        tls13Ms: medianOf((protocol) => protocol === 'TCP/TLS1.3'),
      },
    ];
  });
}

/** QUIC and another protocol at one host in one minute. */
interface Pair {
  host: string;
  rttMs: number;
  quicMs: number;
  otherMs: number;
}

/** Pairs with a known TCP handshake. */
export function pairsOf(rows: readonly Row[], other: string): Pair[] {
  const minutes = Map.groupBy(rows, ({ host, minute }) => `${minute} ${host}`);
  return [...minutes.values()].flatMap((own) => {
    const quic = own.find(({ protocol }) => protocol.startsWith('Q'));
    const tls = own.find(({ protocol }) => protocol === other);
    return quic && tls && tls.tcpMs !== null
      ? [{ host: quic.host, rttMs: tls.tcpMs, quicMs: quic.tookMs, otherMs: tls.tookMs }]
      : [];
  });
}
