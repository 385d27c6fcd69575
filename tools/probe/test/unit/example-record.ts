import { FORMAT } from '../../../../ground/records/format.ts';
import type { ProbeRecord } from '../../../../ground/records/probe.ts';

/** A host with every current protocol, except for these fields. */
export function exampleRecord(changed: Partial<ProbeRecord> = {}): ProbeRecord {
  return {
    ...FORMAT,
    host: 'www.example.org',
    port: 443,
    startedAt: '2026-11-23T10:00:00.000Z',
    tookMs: 1234.5678,
    answered: true,
    addresses: [
      { address: '2001:db8::1', family: 'ipv6', tcp: true, udp: true },
      { address: '192.0.2.1', family: 'ipv4', tcp: true, udp: false },
    ],
    tls13: true,
    tls12: true,
    tls11: false,
    tls10: false,
    tlsVersion: 'TLS 1.3',
    tlsMs: 41.25,
    cipher: 'TLS_AES_128_GCM_SHA256',
    group: 'X25519MLKEM768',
    certificate: 'valid',
    certificateChainBytes: 2345,
    sessionTickets: 2,
    alpnTogether: 'h2',
    alpnH2: true,
    alpnHttp11: true,
    postQuantum: true,
    status: 200,
    altSvc: 'h3=":443"; ma=86400',
    httpsRecords: [
      {
        priority: 1,
        target: '',
        alpn: ['h3', 'h2'],
        noDefaultAlpn: false,
        port: null,
        ipv4Hints: ['192.0.2.1'],
        ipv6Hints: [],
        encryptedHello: false,
      },
    ],
    h3: true,
    quicMs: 20.5,
    quicVersions: ['1', '2'],
    retry: false,
    unvalidatedSentBytes: 1200,
    unvalidatedReceivedBytes: 3600,
    amplification: 3,
    failures: [
      {
        question: 'tls1.1',
        layer: 'tls',
        code: 'protocol_version',
        reason: 'the server refused: alert protocol_version',
      },
    ],
    ...changed,
  };
}

/** A host without an address. */
export function unknownHost(host: string): ProbeRecord {
  const { formatVersion, formatMinor, port, startedAt, tookMs } = exampleRecord();
  const nothing = Object.fromEntries(
    Object.keys(exampleRecord()).map((field) => [field, null]),
  ) as unknown as ProbeRecord;
  return {
    ...nothing,
    formatVersion,
    formatMinor,
    host,
    port,
    startedAt,
    tookMs,
    answered: false,
    addresses: [],
    failures: [
      { question: 'ipv4', layer: 'dns', code: 'ENOTFOUND', reason: `there is no ${host}` },
      { question: 'ipv6', layer: 'dns', code: 'ENOTFOUND', reason: `there is no ${host}` },
    ],
  };
}
