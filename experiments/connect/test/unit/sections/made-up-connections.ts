import type {
  ConnectDetails,
  Resumption,
} from '../../../../../ground/records/connection-attempt.ts';
import type { Factors } from '../../../../../ground/records/factors.ts';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../../ground/records/format.ts';
import type { AskedNetwork } from '../../../../../ground/records/network.ts';
import type { Via } from '../../../../../ground/records/via.ts';
import { type ReportView, reportView } from '../../../../../report/sections/view.ts';
import { summarise } from '../../../../../report/summary/summary.ts';
import { type Fixture, fixtureRun, NONE } from '../../../../../test/unit/report/fixture-run.ts';
import { connect } from '../../../experiment.ts';
import type { Connection } from '../../../sections/connections.ts';

/** An arm of a made-up run: how it connects, and what it takes beside its round trips. */
export interface MadeUpArm {
  arm: string;
  via: Via;
  resumption: Resumption;
  /** Until the client may send. */
  roundTrips: number;
  workMs: number;
}

export const ARMS: readonly MadeUpArm[] = [
  { arm: 'tls1.3', via: 'tls1.3', resumption: 'none', roundTrips: 2, workMs: 3 },
  { arm: 'quic', via: 'quic', resumption: 'none', roundTrips: 1, workMs: 5 },
  { arm: 'tls1.2', via: 'tls1.2', resumption: 'none', roundTrips: 3, workMs: 3 },
  { arm: 'tcp', via: 'tcp', resumption: 'none', roundTrips: 1, workMs: 0 },
];

export interface MadeUpOptions {
  hosts?: readonly string[];
  arms?: readonly MadeUpArm[];
  networks?: readonly AskedNetwork[];
  families?: readonly (4 | 6)[];
  repetitions?: number;
  /** The round-trip time of a host over the network, without noise. */
  rttMs?: (hostPlace: number, network: AskedNetwork, family: 4 | 6) => number;
  /** Whether the path has a round-trip time that was measured: live hosts have none. */
  isMeasured?: boolean;
  /** Changes single connections after they were made, for failures and the like. */
  change?: (connection: Connection, details: ConnectDetails) => void;
}

/** A made-up run of connections, of live hosts unless told otherwise: the same options give the same run. */
export function madeUpConnections({
  hosts = ['a.example', 'b.example', 'c.example'],
  arms = ARMS,
  networks = [NONE],
  families = [4],
  repetitions = 2,
  rttMs: rttOf = (place, { rttMs }) => 10 + 7 * place + rttMs,
  isMeasured = false,
  change = () => {},
}: MadeUpOptions = {}): Fixture {
  const { run, calibrations, invocations } = fixtureRun({ subjects: hosts, networks });
  Object.assign(run, {
    experiment: connect.name,
    recordFile: connect.recordFile,
    factors: families.length > 1 ? { ipv: families.map(String) } : {},
    arms: arms.map(({ arm, via }) => ({
      arm,
      label: arm,
      protocol: via === 'quic' ? 'h3' : 'h2',
      stack: arm,
      client: 'bun',
      controlOf: null,
    })),
    trials: [],
    repetitions,
    analysis: { baseline: arms[0]?.arm ?? '', marginPercent: 5, metric: 'maySendMs' },
  });
  const connections: Connection[] = [];
  for (const [place, subject] of hosts.entries()) {
    for (const network of networks) {
      for (const family of families) {
        for (let block = 1; block <= repetitions; block++) {
          const address = family === 6 ? '[2001:db8::1]:443' : '192.0.2.1:443';
          const rttMs = rttOf(place, network, family);
          for (const { arm, via, resumption, roundTrips, workMs } of arms) {
            const id = `s${place}.${network.name}.${family}.${arm}.${block}`;
            const factors: Factors = families.length > 1 ? { ipv: String(family) } : {};
            const trial = { id, subject, arm, network, block, repetition: block, factors };
            run.trials.push({ ...trial, warmup: false, networkSeed: block });
            const maySendMs = roundTrips * rttMs + workMs;
            const isQuic = via === 'quic';
            const details: ConnectDetails = {
              via,
              host: subject,
              address,
              lookupMs: block === 1 ? 20 + place : 1,
              client: 'bun',
              resumption,
              facts: {
                tlsVersion: via === 'tcp' ? null : via === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3',
                cipher: via === 'tcp' ? null : 'TLS_AES_128_GCM_SHA256',
                group: via === 'tcp' ? null : 'X25519',
                alpn: via === 'tcp' ? null : isQuic ? 'h3' : 'h2',
                quicVersion: isQuic ? '1' : null,
                retry: isQuic ? false : null,
                resumed: resumption === 'none' ? null : true,
                earlyData: resumption === 'early-data' ? 'accepted' : null,
                bytesSent: null,
                bytesReceived: null,
                certificateChainBytes: null,
                rttMs: null,
                status: 200,
                bodyBytes: 100,
                altSvc: null,
              },
              error: null,
            };
            const connection: Connection = {
              formatVersion: FORMAT_VERSION,
              formatMinor: FORMAT_MINOR,
              ...trial,
              order: connections.length + 1,
              experiment: connect.name,
              stack: arm,
              protocol: isQuic ? 'h3' : 'h2',
              network: {
                ...network,
                backend: 'userspace',
                measuredRttMs: isMeasured ? rttMs : null,
              },
              warmup: false,
              client: null,
              outcome: 'ok',
              code: null,
              message: null,
              metrics: {
                tcpMs: isQuic ? null : rttMs,
                maySendMs,
                completeMs: via === 'tcp' ? null : maySendMs + 0.5,
                confirmedMs: isQuic ? maySendMs + rttMs : null,
                firstByteMs: via === 'tcp' ? null : maySendMs + rttMs + 2,
                totalMs: via === 'tcp' ? null : maySendMs + rttMs + 4,
              },
              path: null,
              connections: null,
              machine: null,
              disturbed: null,
              stepsMs: {},
              files: {},
              startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, connections.length)).toISOString(),
              attempt: 1,
              invocation: invocations[0]?.id ?? '',
              details,
            };
            change(connection, details);
            connections.push(connection);
          }
        }
      }
    }
  }
  return {
    run,
    observations: connections as unknown as Fixture['observations'],
    calibrations,
    invocations,
  };
}

/** What the sections of such a run are made of. */
export function viewOf(options: MadeUpOptions = {}): ReportView {
  const { run, observations, calibrations } = madeUpConnections(options);
  return reportView(run, summarise(run, observations, calibrations), observations);
}

/** Makes a connection look as the runner writes one that was not made. */
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
