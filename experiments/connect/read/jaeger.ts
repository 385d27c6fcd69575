import { NO_FACTS } from '../../../ground/records/connection-attempt.ts';
import {
  CONNECTION_TRANSPORTS,
  type ConnectionTransport,
} from '../../../ground/records/connection-transport.ts';
import { PUBLISHED_NETWORK } from '../../../ground/records/network.ts';
import { type JaegerColumn, TRANSPORT_OF_PROTOCOL } from '../jaeger.ts';
import type { Dialect } from './dialect.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { minuteBlocks } from './pairing.ts';

/** Client programs of the study. */
const CLIENTS: Readonly<Record<ConnectionTransport, string>> = {
  quic: 'quic_perf',
  'tls1.3': 'tls_perf',
  'tls1.2': 'tls_perf',
  tcp: 'tls_perf',
};

const TLS_VERSIONS: Partial<Record<ConnectionTransport, string>> = {
  'tls1.3': 'TLS 1.3',
  'tls1.2': 'TLS 1.2',
};

/**
 * Files in the format of B. Jaeger's study of 2018. About the column ConnectionEstablishmentTime:
 * - It begins after the look-up of the name: thousands of rows have a longer DnsLookupTime, and look-ups of some 200 ms
 *   extended a host's usual time by 1 ms at most (medians).
 * - It includes the TCP handshake: no row has a longer TcpHandshakeTimeOptional.
 * - It ends with the handshake: by TLS the client may send then, by QUIC (on_hsk_done of lsquic) it may have sent before.
 *   Verdicts are about this end, which all rows have.
 */
export const jaeger: Dialect = {
  metric: 'completeMs',
  baseline: 'tls1.2',
  reader(file) {
    const blockOf = minuteBlocks();
    return (row) => {
      const fields = fieldsOf<JaegerColumn>(file, row);
      const url = fields.neededText('Url');
      const unixS = fields.unixS('TimeOfMeasurement');
      const { transport, quicVersion } = transportOf(fields);
      const tookMs = fields.neededNumber('ConnectionEstablishmentTime');
      const tcpMs = fields.number('TcpHandshakeTimeOptional');
      return {
        subject: url,
        url: `https://${url}/`,
        arm: {
          arm: transport,
          stack: 'live',
          transport: transport,
          controlOf: null,
          client: CLIENTS[transport],
          ...CONNECTION_TRANSPORTS[transport],
        },
        network: PUBLISHED_NETWORK,
        measuredRttMs: null,
        factors: {},
        block: blockOf({ url, arm: transport, unixS }),
        warmup: false,
        outcome: 'ok',
        code: null,
        message: null,
        metrics: {
          tcpMs: transport === 'tcp' ? tookMs : tcpMs,
          maySendMs: transport === 'quic' ? null : tookMs,
          completeMs: tookMs,
          confirmedMs: null,
          firstByteMs: null,
          totalMs: null,
        },
        details: {
          transport: transport,
          host: url,
          address: addressIn(fields),
          lookupMs: fields.number('DnsLookupTime'),
          client: CLIENTS[transport],
          resumption: 'none',
          facts: {
            ...NO_FACTS,
            tlsVersion: TLS_VERSIONS[transport] ?? null,
            quicVersion,
            // The study's programs write 0 without a response.
            status: fields.count('HttpResponse') || null,
          },
          error: null,
        },
        unixS,
        machine: null,
        id: null,
      };
    };
  },
};

function transportOf(fields: Fields<JaegerColumn>): {
  transport: ConnectionTransport;
  quicVersion: string | null;
} {
  const protocol = fields.neededText('Protocol');
  const overTcp = Object.hasOwn(TRANSPORT_OF_PROTOCOL, protocol)
    ? TRANSPORT_OF_PROTOCOL[protocol]
    : undefined;
  if (overTcp) return { transport: overTcp, quicVersion: null };
  const [, google, version] = /^(?:(Q\d+)|QUIC(?:v(\w+))?)$/.exec(protocol) ?? [];
  if (google === undefined && version === undefined && protocol !== 'QUIC') {
    throw fields.wrong(
      'Protocol',
      `${Object.keys(TRANSPORT_OF_PROTOCOL).join(', ')}, or a version of QUIC such as Q043 or QUICv1`,
    );
  }
  return { transport: 'quic', quicVersion: google ?? version ?? null };
}

/** The server's `ip:port`; null: the row has no address. */
export function addressIn(fields: Fields<JaegerColumn>): string | null {
  const ip = fields.text('Ip');
  const port = fields.count('Port');
  if (ip === null || port === null) return null;
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
