import type { LoadPhasesMs, TrafficRecord } from '../../../clients/har/records.ts';
import type { VisitKind } from '../../../clients/visit-kind.ts';
import type { PageLoad, PageLoadDetails } from '../../../experiments/page-load/details.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import type { DirectionCounts, NetworkCondition } from '../../../ground/records/network.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import {
  type CommonOptions,
  DELAYED,
  hostOf,
  type MadeArm,
  type MadeRun,
  madeRun,
  NONE,
} from '../made-run.ts';

export { DELAYED, NONE, withRunFolder, writeRun } from '../made-run.ts';

export interface FixtureOptions extends CommonOptions<PageLoadDetails> {
  visits?: readonly VisitKind[];
  /** A browser in addition to the usual one. */
  browser?: string;
  /** The page load time in place of a plausible one. */
  pageLoadMs?: (load: PageLoad) => number | null;
}

/** Options of a run of one site, without an added delay. */
export const ONE_SITE = { subjects: ['a.example'], networks: [NONE] } as const;

/** A made-up run of page loads. */
export type Fixture = MadeRun<PageLoadDetails>;

const STACKS: readonly (MadeArm & { factor: number; roundTrips: number })[] = [
  { arm: 'lsquic-h3', label: 'lsquic (h3)', protocol: 'h3', factor: 1.05, roundTrips: 4 },
  { arm: 'bun-h2', label: 'Bun (h2)', protocol: 'h2', factor: 1, roundTrips: 5 },
  {
    arm: 'flask-h1',
    label: 'Flask (http/1.1)',
    protocol: 'http/1.1',
    factor: 1.6,
    roundTrips: 9,
  },
];

/** The stacks in a browser, each compared with the same baseline in it. */
function stacksIn(browser: string): typeof STACKS {
  return STACKS.map((stack) => ({
    ...stack,
    arm: `${stack.arm}~${browser}`,
    label: `${stack.label} in ${browser}`,
    ...(stack.arm !== 'bun-h2' && { comparedWith: `bun-h2~${browser}` }),
  }));
}

/** A made-up run of page loads with plausible numbers: the same options give the same run. */
export function fixtureRun({
  subjects = ['www.iana.org', 'www.wikipedia.org'],
  visits = ['cold'],
  browser,
  backend = 'userspace',
  pageLoadMs: timeOf,
  change,
  ...options
}: FixtureOptions = {}): Fixture {
  return madeRun<PageLoadDetails, (typeof STACKS)[number]>(
    { name: 'page-load', recordFile: 'page-loads.jsonl' },
    {
      subjects,
      networks: [NONE, DELAYED],
      arms: [...STACKS, ...(browser === undefined ? [] : stacksIn(browser))],
      repetitions: 3,
      factors: { visit: visits },
      analysis: { baseline: 'bun-h2', marginPercent: 5, metric: 'pageLoadMs' },
      client: 'chromium',
      backend,
      warmups: true,
      shuffled: true,
      ...options,
      idOf: ({ subject, network, factors: { visit }, arm, warmup, repetition }) => {
        const condition = visit === 'cold' ? network.name : `${network.name}.${visit}`;
        return `s${subjects.indexOf(subject) + 1}.${condition}.${arm}.${warmup ? 'warm-up' : repetition}`;
      },
      attempt: ({ trial, arm, network, subjectIndex, random }) => {
        const { id, subject, repetition, warmup } = trial;
        const { protocol, factor, roundTrips } = arm;
        const visit = trial.factors.visit as VisitKind;
        const isQuic = protocol === 'h3';
        const baseMs = 60 + ((subjectIndex * 97) % 900);
        const cost = baseMs * factor * (0.9 + 0.25 * random()) + (warmup ? 40 : 0);
        const pageLoadMs = cost + roundTrips * network.rttMs;
        const traffic = trafficOf(protocol, 4 + subjectIndex, visit);
        return {
          client: { id: `${arm.arm}.1`, attemptsBefore: repetition, ageMs: 1000 * repetition },
          metrics: {
            pageLoadMs,
            completeMs: null,
            documentMs: 8 + 20 * random() + network.rttMs,
            firstByteMs: 12 + 6 * random() + (isQuic ? 2 : 3) * network.rttMs,
            connectMs: 4 + random() + (isQuic ? 1 : 2) * network.rttMs,
            domContentLoadedMs: pageLoadMs * 0.7,
            firstContentfulPaintMs: pageLoadMs * 0.6,
            largestContentfulPaintMs: pageLoadMs * 0.8,
            lastByteMs: pageLoadMs * 0.95,
            wireBytes: 12_000 * traffic.responses200,
            requests: traffic.responses200,
            connections: 1,
            connectionsPerOrigin: 1,
            peakConcurrentRequests: Math.min(traffic.responses200, 6),
          },
          connections: { opened: [connectionOf(hostOf(subject), protocol, visit)], whole: true },
          machine: machineUse(pageLoadMs),
          stepsMs: stepsMsOf(pageLoadMs, visit),
          path: {
            toServer: countsOf(60 + subjectIndex, 90, network, network.upKbps),
            toClient: countsOf(150 + 10 * subjectIndex, 1400, network, network.downKbps),
            maxLatenessMs: backend === 'netem' ? null : 0.1 + random(),
            linkCpuMs: backend === 'netem' ? null : 20,
          },
          files: { har: `har/${id}.har` },
          details: {
            phasesMs: phasesOf(pageLoadMs),
            traffic,
            replay: { exact: 4 + subjectIndex, byQuery: [], unknown: [] },
          },
        };
      },
      change(load, details) {
        if (timeOf) load.metrics.pageLoadMs = timeOf(load);
        change?.(load, details);
      },
    },
  );
}

function trafficOf(protocol: Protocol, resources: number, visit: VisitKind): TrafficRecord {
  const fromCache = visit === 'repeat' ? resources - 1 : 0;
  const responses = resources - fromCache;
  return {
    responses200: responses,
    errorResponses: 0,
    failedRequests: 0,
    connectionsByHost: { 'www.example.org': 1 },
    protocols: { [protocol]: responses },
    tlsVersion: protocol === 'h3' ? 'QUIC' : 'TLS 1.3',
    cipher: 'AES_128_GCM',
    keyExchangeGroup: 'X25519',
    fromCache,
    responseHeaderNames: ['cache-control', 'content-length', 'content-type', 'date'],
    responseHeadersSha256: 'cd'.repeat(32),
  };
}

function phasesOf(pageLoadMs: number): LoadPhasesMs {
  const part = (share: number) => pageLoadMs * share;
  return { setUp: part(0.125), waiting: part(0.25), transfer: part(0.25), rest: part(0.375) };
}

function connectionOf(host: string, protocol: Protocol, visit: VisitKind): ConnectionRecord {
  return {
    host,
    address: '10.89.1.2:443',
    clientPort: 40_123,
    transport: protocol === 'h3' ? 'quic' : 'tcp',
    offered: visit === 'cold' ? 'full' : 'resumption',
    tlsVersion: 'TLS 1.3',
    cipher: 'AES_128_GCM',
    handshake: visit === 'cold' ? 'full' : 'resumed',
    earlyData: 'none',
  };
}

function machineUse(pageLoadMs: number): MachineUse {
  return {
    loadAverage1m: 0.6,
    availableMemoryMb: 5_120,
    cpuPressurePercent: 3.5,
    stealPercent: 0,
    otherCpuPercent: 1.5,
    serverCpuMs: pageLoadMs * 0.05,
    clientCpuMs: pageLoadMs * 0.8,
    runnerCpuMs: pageLoadMs * 0.1,
    udpReceiveBufferErrors: 0,
  };
}

function stepsMsOf(pageLoadMs: number, visit: VisitKind): Record<string, number> {
  return {
    prepare: 120,
    earlierLoad: visit === 'cold' ? 0 : pageLoadMs + 500,
    load: pageLoadMs + 5,
    settle: 120,
    judge: 25,
  };
}

function countsOf(
  packets: number,
  bytesPerPacket: number,
  { lossPercent, burstLoss }: NetworkCondition,
  kbps: number | null,
): DirectionCounts {
  return {
    packets,
    bytes: packets * bytesPerPacket,
    lost: Math.round((packets * (lossPercent + (burstLoss ? 1.2 : 0))) / 100),
    queueDrops: kbps === null ? 0 : 2,
  };
}

/** Makes a load failed or invalid, as the runner would write it. */
export function spoil(
  load: PageLoad,
  outcome: Exclude<PageLoad['outcome'], 'ok'>,
  code: string,
  message: string,
): void {
  load.outcome = outcome;
  load.code = code;
  load.message = message;
  if (outcome === 'invalid') return;
  for (const name of Object.keys(load.metrics)) load.metrics[name] = null;
  load.files = {};
  load.details = { phasesMs: null, traffic: null, replay: null };
}
