import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoadPhasesMs, TrafficRecord } from '../../../clients/chromium/records.ts';
import type { VisitKind } from '../../../clients/chromium/visit-kind.ts';
import type { PageLoad } from '../../../experiments/page-load/details.ts';
import type { CalibrationRecord, Spread } from '../../../ground/records/calibration.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import type { EndManifest, FairnessManifest } from '../../../ground/records/fairness.ts';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../ground/records/format.ts';
import type { InvocationRecord } from '../../../ground/records/invocation.ts';
import { compareStacks } from '../../../ground/records/like-for-like.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import type {
  AskedNetwork,
  DirectionCounts,
  NetworkBackend,
} from '../../../ground/records/network.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import type { HostFacts, RunRecord } from '../../../ground/records/run.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import type { StackReadings } from '../../../ground/records/stack-readings.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

export interface FixtureOptions {
  subjects?: readonly string[];
  networks?: readonly AskedNetwork[];
  visits?: readonly VisitKind[];
  backend?: NetworkBackend;
  repetitions?: number;
  warmups?: boolean;
  /** Changes single loads after they were made, for failures and the like. */
  change?: (load: PageLoad) => void;
}

/** Everything in a run's folder that is read again. */
export interface Fixture {
  run: RunRecord & { host: HostFacts };
  observations: PageLoad[];
  calibrations: CalibrationRecord[];
  invocations: (InvocationRecord & { host: HostFacts })[];
}

/** The condition with nothing added. */
export const NONE: AskedNetwork = {
  name: 'none',
  rttMs: 0,
  downKbps: null,
  upKbps: null,
  lossPercent: 0,
  jitterMs: 0,
  burstLoss: null,
};

/** The condition of 15 ms each way. */
export const DELAYED: AskedNetwork = { ...NONE, name: '30ms', rttMs: 30 };

const STACKS: {
  arm: string;
  label: string;
  protocol: Protocol;
  factor: number;
  roundTrips: number;
}[] = [
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

const INVOCATION = '2026-11-20T10-00-00Z-bench';

/** A made-up run with plausible numbers: the same options give the same run. */
export function fixtureRun({
  subjects = ['www.iana.org', 'www.wikipedia.org'],
  networks = [NONE, DELAYED],
  visits = ['cold'],
  backend = 'userspace',
  repetitions = 3,
  warmups = true,
  change = () => {},
}: FixtureOptions = {}): Fixture {
  const random = numbersFrom(7);
  const run: Fixture['run'] = {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    experiment: 'page-load',
    recordFile: 'page-loads.jsonl',
    runId: '2026-11-20T10-00-00Z',
    planSha256: 'ab'.repeat(32),
    preset: null,
    startedAt: '2026-11-20T10:00:00.000Z',
    command: ['--sites', subjects.join(','), '--repetitions', String(repetitions)],
    seed: 7,
    repetitions,
    timeoutS: 30,
    subjects: subjects.map((subject, index) => ({
      subject,
      url: `https://${/^[a-z0-9.-]+$/.test(subject) ? subject : 'www.example.org'}/`,
      source: `Generated from the shape of ${subject} in December 2018; none of its content.`,
      kind: 'generated',
      hosts: 1 + (index % 7),
      resources: 4 + ((index * 37) % 190),
      wireBytes: 12_000 + ((index * 377_777) % 3_400_000),
      manifestSha256: 'ab'.repeat(32),
    })),
    arms: STACKS.map(({ arm, label, protocol }) => ({
      arm,
      label,
      protocol,
      stack: arm,
      client: 'chromium',
      controlOf: null,
    })),
    networks: [...networks],
    factors: { visit: [...visits] },
    choices: {
      origins: 'own',
      certificateChain: 'small',
      keyExchange: 'x25519',
      pinned: { browserCores: [0], serverCores: [1], linkCores: [] },
      deterministicPages: 'recorded',
      thinkTime: 'off',
      isolation: 'context',
      initialWindowSegments: null,
      congestionControl: 'cubic',
      subResources: 'served',
      document: 'recorded',
      tlsMost: '1.3',
      mtuBytes: 1500,
      offloads: 'off',
      receiveBufferBytes: null,
      order: 'shuffled',
      keepSecrets: false,
      packets: 'none',
      qlogs: false,
      tcpInfoMs: null,
      netLogs: false,
      hars: 'all',
      compressHars: false,
    },
    analysis: { baseline: 'bun-h2', marginPercent: 5, metric: 'pageLoadMs' },
    interferenceRule: { otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 300 },
    backend,
    fairness: fairness(),
    trials: [],
    versions: { 'quic-vs-https': '0.1.0', node: '24.21.0', chromium: '156.0.7000.1', bun: '1.4.5' },
    host: {
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.1.0-30-amd64',
      cpu: 'Example CPU @ 2.40GHz',
      cores: 2,
      memoryMb: 7_961,
      loadAverage1m: 0.12,
      programsUid: 1000,
    },
  };
  const observations: PageLoad[] = [];
  const calibrations: CalibrationRecord[] = [];
  let networkSeed = 0;
  for (const [siteIndex, subject] of subjects.entries()) {
    const baseMs = 60 + ((siteIndex * 97) % 900);
    for (const network of networks) {
      const calibration = calibrationOf(subject, network, backend, random, calibrations.length);
      calibrations.push(calibration);
      for (const visit of visits) {
        // As the runner does it: warm-ups come once for each site, in its first condition.
        const first = warmups && network === networks[0] && visit === visits[0] ? 0 : 1;
        const condition = visit === 'cold' ? network.name : `${network.name}.${visit}`;
        for (let repetition = first; repetition <= repetitions; repetition += 1) {
          networkSeed += 1;
          for (const { arm, protocol, factor, roundTrips } of STACKS.toSorted(
            () => random() - 0.5,
          )) {
            const warmup = repetition === 0;
            const id = `s${siteIndex + 1}.${condition}.${arm}.${warmup ? 'warm-up' : repetition}`;
            const trial = {
              id,
              subject,
              arm,
              network,
              repetition,
              block: repetition,
              warmup,
              factors: { visit },
            };
            run.trials.push({ ...trial, networkSeed });
            const cost = baseMs * factor * (0.9 + 0.25 * random()) + (warmup ? 40 : 0);
            const pageLoadMs = cost + roundTrips * network.rttMs;
            const traffic = trafficOf(protocol, 4 + siteIndex, visit);
            const load: PageLoad = {
              formatVersion: FORMAT_VERSION,
              formatMinor: FORMAT_MINOR,
              ...trial,
              order: observations.length + 1,
              experiment: 'page-load',
              stack: arm,
              protocol,
              network: { ...network, backend, measuredRttMs: calibration.udpRttMs.median },
              client: { id: `${arm}.1`, attemptsBefore: repetition, ageMs: 1000 * repetition },
              outcome: 'ok',
              code: null,
              message: null,
              metrics: {
                pageLoadMs,
                completeMs: null,
                documentMs: 8 + 20 * random() + network.rttMs,
                firstByteMs: 12 + 6 * random() + (arm === 'lsquic-h3' ? 2 : 3) * network.rttMs,
                connectMs: 4 + random() + (arm === 'lsquic-h3' ? 1 : 2) * network.rttMs,
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
              connections: {
                opened: [connectionOf(run.subjects[siteIndex]?.url ?? '', protocol, visit)],
                whole: true,
              },
              machine: machineUse(pageLoadMs),
              disturbed: null,
              stepsMs: stepsMsOf(pageLoadMs, visit),
              path: {
                toServer: countsOf(60 + siteIndex, 90, network, network.upKbps),
                toClient: countsOf(150 + 10 * siteIndex, 1400, network, network.downKbps),
                maxLatenessMs: backend === 'netem' ? null : 0.1 + random(),
                linkCpuMs: backend === 'netem' ? null : 20,
              },
              files: { har: `har/${id}.har` },
              startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, observations.length)).toISOString(),
              attempt: 1,
              invocation: INVOCATION,
              details: {
                phasesMs: phasesOf(pageLoadMs),
                traffic,
                replay: { exact: 4 + siteIndex, byQuery: [], unknown: [] },
              },
            };
            change(load);
            observations.push(load);
          }
        }
      }
    }
  }
  return { run, observations, calibrations, invocations: [invocationOf(run)] };
}

/** The one invocation in which all of a made-up run was done. */
function invocationOf(run: Fixture['run']): Fixture['invocations'][number] {
  const { startedAt, command, host, versions, backend } = run;
  return {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    id: INVOCATION,
    machine: 'bench',
    startedAt,
    command,
    host,
    versions,
    backend,
    part: null,
    differences: [],
  };
}

function fairness(): FairnessManifest {
  const said = (value: string) => ({ value, from: "the server's ready line" });
  const readings: Record<string, StackReadings> = {
    'lsquic-h3': readingsOf('Bun', 32),
    'bun-h2': readingsOf('Bun', 10),
    'flask-h1': readingsOf('Flask', 10),
  };
  return {
    readAt: '2026-11-20T09:00:00.000Z',
    client: end(),
    server: end(),
    stacks: {
      'lsquic-h3': { program: said('Bun 1.4.5, node:quic'), congestionControl: said('cubic') },
      'bun-h2': { program: said('Bun 1.4.5, Bun.serve') },
      'flask-h1': {},
    },
    readings,
    pairs: compareStacks(readings, 'before loads'),
  };
}

/** What was read of a stack; how long its certificate chain is, was not told. */
function readingsOf(serverProgram: string, initialWindowPackets: number): StackReadings {
  const read = <T>(value: T) => ({ value, from: 'made up' });
  return {
    congestionControl: read('cubic'),
    initialWindowPackets: read(initialWindowPackets),
    pathMtuBytes: read(1500),
    segmentsPerPacket: read(1),
    certificateChainBytes: { value: null, from: 'made up' },
    serverProgram: read(serverProgram),
  };
}

function end(): EndManifest {
  const read = <T>(value: T, from = '/proc/sys') => ({ value, from });
  return {
    tcpCongestionControl: read('cubic', 'TCP_CONGESTION'),
    tcpInitialWindowSegments: read(10, 'TCP_INFO'),
    tcpMssBytes: read(1448, 'TCP_INFO'),
    pathMtuBytes: read(1500, 'TCP_INFO'),
    deviceMtuBytes: read(1500, 'ip link'),
    segmentsPerPacket: read(1, 'ip link'),
    queueingDiscipline: read('noqueue', 'ip link'),
    offloads: read({ 'tx-checksum-ip-generic': true, 'rx-gro': false }, 'ETHTOOL_GFEATURES'),
    tcpSlowStartAfterIdle: read(false),
    tcpSavesMetrics: read(false),
    tcpEcn: read(0),
    tcpReceiveBufferBytes: read({ minimum: 4096, initial: 131_072, maximum: 6_291_456 }),
    tcpSendBufferBytes: read({ minimum: 4096, initial: 16_384, maximum: 4_194_304 }),
    udpReceiveBufferBytes: read(212_992, 'SO_RCVBUF'),
    udpSendBufferBytes: read(212_992, 'SO_SNDBUF'),
    udpReceiveBufferLimitBytes: { value: null, from: '/proc/sys' },
    udpSendBufferLimitBytes: read(212_992),
    ipv6: read(false),
    routes: read(['10.89.1.0/24'], 'ip route'),
  };
}

function calibrationOf(
  subject: string,
  network: AskedNetwork,
  backend: NetworkBackend,
  random: () => number,
  index: number,
): CalibrationRecord {
  const { name, burstLoss, ...numbers } = network;
  const { rttMs, downKbps, upKbps, lossPercent, jitterMs } = numbers;
  const around = (median: number): Spread => ({
    count: 50,
    minimum: median - 0.1,
    median,
    p90: median + 0.2,
    maximum: median + 0.6,
  });
  const measured = rttMs + 0.1 + 0.3 * random();
  return {
    subject,
    measuredAt: new Date(Date.UTC(2026, 10, 20, 9, 0, index)).toISOString(),
    asked: {
      condition: name,
      rttMs,
      downKbps,
      upKbps,
      lossPercent,
      jitterMs,
      burstLossPercent: burstLoss
        ? (100 * burstLoss.enterPercent) / (burstLoss.enterPercent + burstLoss.leavePercent)
        : 0,
    },
    backend,
    linkPriority: backend === 'userspace' ? 'fifo' : null,
    isSeeded: true,
    udpRttMs: around(measured),
    tcpRttMs: around(measured + 0.05),
    tcpConnectMs: around(measured + 0.1),
    toServerMs: around(measured / 2),
    toClientMs: around(measured / 2),
    udpProbes: 50,
    udpProbesLost: 0,
    downKbps: downKbps && downKbps * (0.985 + 0.02 * random()),
    upKbps: upKbps && upKbps * (0.985 + 0.02 * random()),
    downOfferedKbps: downKbps && downKbps * 1.5,
    upOfferedKbps: upKbps && upKbps * 1.5,
    loadAverage1m: 0.4,
    cores: 2,
  };
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

function connectionOf(url: string, protocol: Protocol, visit: VisitKind): ConnectionRecord {
  return {
    host: new URL(url).hostname,
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
  { lossPercent, burstLoss }: AskedNetwork,
  kbps: number | null,
): DirectionCounts {
  return {
    packets,
    bytes: packets * bytesPerPacket,
    lost: Math.round((packets * (lossPercent + (burstLoss ? 1.2 : 0))) / 100),
    queueDrops: kbps === null ? 0 : 2,
  };
}

/** Makes a load look failed or invalid, as the runner would write it. */
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

/** Puts a run into a folder of its own that is gone after `use`. */
export async function withRunFolder(
  fixture: Fixture,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    await writeRun(folder, fixture);
    await use(folder);
  });
}

/** Writes run.json, page-loads.jsonl, calibrations.jsonl and invocations.jsonl as the runner does. */
export async function writeRun(
  folder: string,
  { run, observations, calibrations, invocations }: Fixture,
): Promise<void> {
  const files = runFolder(folder);
  await writeFile(files.run, `${JSON.stringify(run, null, 1)}\n`);
  await writeFile(path.join(folder, run.recordFile), linesOf(observations));
  await writeFile(files.calibrations, linesOf(calibrations));
  await writeFile(files.invocations, linesOf(invocations));
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Numbers in [0, 1) that are the same every time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
