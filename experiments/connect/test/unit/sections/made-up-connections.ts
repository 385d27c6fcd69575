import {
  type ConnectDetails,
  NO_FACTS,
  type Resumption,
} from '../../../../../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../../../../../ground/records/connection-transport.ts';
import type { NetworkCondition } from '../../../../../ground/records/network.ts';
import {
  type CommonOptions,
  DELAYED,
  type MadeArm,
  type MadeRun,
  madeRun,
  NONE,
} from '../../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../../test/unit/report/reported.ts';
import { connect } from '../../../experiment.ts';
import type { Connection } from '../../../sections/connections.ts';

/** An arm of a made-up run: how it connects, and its time in addition to round trips. */
export interface MadeUpArm {
  arm: string;
  transport: ConnectionTransport;
  resumption: Resumption;
  /** Until the client may send. */
  roundTrips: number;
  workMs: number;
}

export const ARMS: readonly MadeUpArm[] = [
  { arm: 'tls1.3', transport: 'tls1.3', resumption: 'none', roundTrips: 2, workMs: 3 },
  { arm: 'quic', transport: 'quic', resumption: 'none', roundTrips: 1, workMs: 5 },
  { arm: 'tls1.2', transport: 'tls1.2', resumption: 'none', roundTrips: 3, workMs: 3 },
  { arm: 'tcp', transport: 'tcp', resumption: 'none', roundTrips: 1, workMs: 0 },
];

export interface MadeUpOptions extends CommonOptions<ConnectDetails> {
  hosts?: readonly string[];
  arms?: readonly MadeUpArm[];
  families?: readonly (4 | 6)[];
  /** The round-trip time of a host over the network, without noise. */
  rttMs?: (hostPlace: number, network: NetworkCondition, family: 4 | 6) => number;
  /** Whether the path has a measured round-trip time: live hosts have none. */
  isMeasured?: boolean;
}

/** A made-up run of connections, of live hosts unless their path is measured. */
export function madeUpConnections({
  hosts = ['a.example', 'b.example', 'c.example'],
  arms = ARMS,
  families = [4],
  rttMs: rttOf = (place, { rttMs }) => 10 + 7 * place + rttMs,
  isMeasured = false,
  ...options
}: MadeUpOptions = {}): MadeRun<ConnectDetails> {
  return madeRun<ConnectDetails, MadeUpArm & MadeArm>(connect, {
    subjects: hosts,
    networks: [NONE],
    arms: arms.map((arm) => ({ ...arm, protocol: arm.transport === 'quic' ? 'h3' : 'h2' })),
    repetitions: 2,
    factors: families.length > 1 ? { ipv: families.map(String) } : {},
    analysis: { baseline: arms[0]?.arm ?? '', marginPercent: 5, metric: 'maySendMs' },
    attempt: ({ trial: { subject, block }, arm, network, factors, subjectIndex }) => {
      const { transport, resumption, roundTrips, workMs } = arm;
      const family = factors.ipv === '6' ? 6 : (families[0] ?? 4);
      const rttMs = rttOf(subjectIndex, network, family);
      const maySendMs = roundTrips * rttMs + workMs;
      const isQuic = transport === 'quic';
      const hasTls = transport !== 'tcp';
      return {
        network: { ...network, backend: 'userspace', measuredRttMs: isMeasured ? rttMs : null },
        metrics: {
          tcpMs: isQuic ? null : rttMs,
          maySendMs,
          completeMs: hasTls ? maySendMs + 0.5 : null,
          confirmedMs: isQuic ? maySendMs + rttMs : null,
          firstByteMs: hasTls ? maySendMs + rttMs + 2 : null,
          totalMs: hasTls ? maySendMs + rttMs + 4 : null,
        },
        details: {
          transport,
          host: subject,
          address: family === 6 ? '[2001:db8::1]:443' : '192.0.2.1:443',
          lookupMs: block === 1 ? 20 + subjectIndex : 1,
          client: 'bun',
          resumption,
          facts: {
            ...NO_FACTS,
            ...(hasTls && {
              tlsVersion: transport === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3',
              cipher: 'TLS_AES_128_GCM_SHA256',
              group: 'X25519',
              alpn: isQuic ? 'h3' : 'h2',
            }),
            ...(isQuic && { quicVersion: '1', retry: false }),
            resumed: resumption === 'none' ? null : true,
            earlyData: resumption === 'early-data' ? 'accepted' : null,
            status: 200,
            bodyBytes: 100,
          },
          error: null,
        },
      };
    },
    ...options,
  });
}

/** A run with values for every column of the tables. */
export function detailedRun(): MadeRun<ConnectDetails> {
  return madeUpConnections({
    hosts: ['www.example.org'],
    networks: [DELAYED],
    arms: ARMS.slice(0, 3),
    repetitions: 3,
    warmups: true,
    rttMs: () => 30.25,
    isMeasured: true,
    change: (_, details) => {
      details.lookupMs = 1.5;
      if (details.transport === 'quic') details.address = '[2001:db8::1]:443';
      if (details.facts) details.facts.altSvc = 'h3=":443"; ma=86400, h3-29=":443"';
    },
  });
}

/** Input of the sections of such a run. */
export const viewOf = (...made: Parameters<typeof madeUpConnections>) =>
  viewOfRun(madeUpConnections(...made));

/** Turns a connection into the runner's record of one that was not made. */
export function fail(
  connection: Connection,
  details: ConnectDetails,
  outcome: 'failed' | 'unsupported',
  error: NonNullable<ConnectDetails['error']>,
): void {
  Object.assign(connection, {
    outcome,
    code: outcome === 'failed' ? 'handshake-failed' : 'unsupported',
    message: error.reason,
    metrics: {},
  });
  Object.assign(details, { facts: null, error });
}
