import { type ConnectDetails, NO_FACTS } from '../../../../ground/records/connection-attempt.ts';
import type { Via } from '../../../../ground/records/via.ts';
import { DELAYED, type Fixture } from '../../../../test/unit/report/fixture-run.ts';
import { connectionRun } from './made-up-run.ts';

const WAYS: Readonly<Record<string, Via>> = {
  'lsquic-h3': 'quic',
  'bun-h2': 'tls1.3',
  'flask-h1': 'tls1.2',
};

/** A made-up run of connections of which everything is known that tables hold. */
export function detailedRun(): Fixture {
  const fixture = connectionRun({ subjects: ['www.example.org'], networks: [DELAYED] });
  for (const arm of fixture.run.arms) arm.via = WAYS[arm.arm] ?? 'tcp';
  for (const attempt of fixture.observations) {
    const via = WAYS[attempt.arm] ?? 'tcp';
    const { maySendMs = null } = attempt.metrics;
    attempt.network.measuredRttMs = 30.5;
    attempt.metrics = {
      tcpMs: via === 'quic' ? null : 30.25,
      maySendMs,
      completeMs: maySendMs,
      confirmedMs: via === 'quic' && maySendMs !== null ? maySendMs + 30 : null,
      firstByteMs: maySendMs === null ? null : maySendMs + 31.5,
      totalMs: maySendMs === null ? null : maySendMs + 32,
    };
    const details: ConnectDetails = {
      via,
      host: 'www.example.org',
      address: via === 'quic' ? '[2001:db8::1]:443' : '192.0.2.1:443',
      lookupMs: 1.5,
      client: 'bun',
      resumption: 'none',
      facts: {
        ...NO_FACTS,
        tlsVersion: via === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3',
        quicVersion: via === 'quic' ? '1' : null,
        retry: via === 'quic' ? false : null,
        status: 200,
        altSvc: 'h3=":443"; ma=86400, h3-29=":443"',
      },
      error: null,
    };
    Object.assign(attempt, { details });
  }
  return fixture;
}
