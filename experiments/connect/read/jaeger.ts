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

/** His programs. */
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
 * Files of B. Jaeger's study of 2018, and others in their form. ConnectionEstablishmentTime begins when the name has been looked up:
 * thousands of rows have a DnsLookupTime longer than all of it, and where look-ups took some 200 ms, it was longer by 1 ms at most than
 * is usual for that host (medians). TCP's handshake is in it: no row has a longer TcpHandshakeTimeOptional. By TLS it ends with the
 * handshake, when the client may send. By QUIC it ends with the handshake too (on_hsk_done of lsquic), but the client may have sent
 * before: the end of the handshake is what all of them have, and what verdicts are about.
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
      const { via, quicVersion } = wayOf(fields);
      const tookMs = fields.neededNumber('ConnectionEstablishmentTime');
      const tcpMs = fields.number('TcpHandshakeTimeOptional');
      return {
        subject: url,
        url: `https://${url}/`,
        arm: {
          arm: via,
          stack: 'live',
          via,
          controlOf: null,
          client: CLIENTS[via],
          ...CONNECTION_TRANSPORTS[via],
        },
        network: PUBLISHED_NETWORK,
        measuredRttMs: null,
        factors: {},
        block: blockOf({ url, arm: via, unixS }),
        warmup: false,
        outcome: 'ok',
        code: null,
        message: null,
        metrics: {
          tcpMs: via === 'tcp' ? tookMs : tcpMs,
          maySendMs: via === 'quic' ? null : tookMs,
          completeMs: tookMs,
          confirmedMs: null,
          firstByteMs: null,
          totalMs: null,
        },
        details: {
          via,
          host: url,
          address: addressIn(fields),
          lookupMs: fields.number('DnsLookupTime'),
          client: CLIENTS[via],
          resumption: 'none',
          facts: {
            ...NO_FACTS,
            tlsVersion: TLS_VERSIONS[via] ?? null,
            quicVersion,
            // 0: no answer came.
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

function wayOf(fields: Fields<JaegerColumn>): {
  via: ConnectionTransport;
  quicVersion: string | null;
} {
  const protocol = fields.neededText('Protocol');
  const overTcp = Object.hasOwn(TRANSPORT_OF_PROTOCOL, protocol)
    ? TRANSPORT_OF_PROTOCOL[protocol]
    : undefined;
  if (overTcp) return { via: overTcp, quicVersion: null };
  const [, google, version] = /^(?:(Q\d+)|QUIC(?:v(\w+))?)$/.exec(protocol) ?? [];
  if (google === undefined && version === undefined && protocol !== 'QUIC') {
    throw fields.wrong(
      'Protocol',
      `${Object.keys(TRANSPORT_OF_PROTOCOL).join(', ')}, or a version of QUIC such as Q043 or QUICv1`,
    );
  }
  return { via: 'quic', quicVersion: google ?? version ?? null };
}

/** Where the row says it, as `ip:port`. */
export function addressIn(fields: Fields<JaegerColumn>): string | null {
  const ip = fields.text('Ip');
  const port = fields.count('Port');
  if (ip === null || port === null) return null;
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
