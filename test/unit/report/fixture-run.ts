import { writeFile } from 'node:fs/promises';
import type { CalibrationRecord, Spread } from '../../../records/calibration.ts';
import type { ConnectionRecord } from '../../../records/connection.ts';
import type { EndManifest, FairnessManifest } from '../../../records/fairness.ts';
import { compareStacks } from '../../../records/like-for-like.ts';
import type { LoadPhasesMs } from '../../../records/load-phases.ts';
import type { MachineUse } from '../../../records/machine-use.ts';
import type { AskedNetwork, DirectionCounts, NetworkBackend } from '../../../records/network.ts';
import {
  type HarnessMs,
  type PageLoad,
  type Protocol,
  RECORD_FORMAT_VERSION,
  type TrafficRecord,
  type VisitKind,
} from '../../../records/page-load.ts';
import type { RunRecord } from '../../../records/run.ts';
import { runFolder } from '../../../records/run-folder.ts';
import type { SittingRecord } from '../../../records/sitting.ts';
import type { StackReadings } from '../../../records/stack-readings.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

export interface FixtureOptions {
  sites?: readonly string[];
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
  run: RunRecord;
  pageLoads: PageLoad[];
  calibrations: CalibrationRecord[];
  sittings: SittingRecord[];
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
  stack: string;
  label: string;
  protocol: Protocol;
  factor: number;
  roundTrips: number;
}[] = [
  { stack: 'lsquic-h3', label: 'lsquic (h3)', protocol: 'h3', factor: 1.05, roundTrips: 4 },
  { stack: 'bun-h2', label: 'Bun (h2)', protocol: 'h2', factor: 1, roundTrips: 5 },
  {
    stack: 'flask-h1',
    label: 'Flask (http/1.1)',
    protocol: 'http/1.1',
    factor: 1.6,
    roundTrips: 9,
  },
];

const SITTING = '2026-11-20T10-00-00Z-bench';

/** A made-up run with plausible numbers: the same options give the same run. */
export function fixtureRun({
  sites = ['www.iana.org', 'www.wikipedia.org'],
  networks = [NONE, DELAYED],
  visits = ['cold'],
  backend = 'userspace',
  repetitions = 3,
  warmups = true,
  change = () => {},
}: FixtureOptions = {}): Fixture {
  const random = numbersFrom(7);
  const run: RunRecord = {
    formatVersion: RECORD_FORMAT_VERSION,
    runId: '2026-11-20T10-00-00Z',
    planSha256: 'ab'.repeat(32),
    preset: null,
    startedAt: '2026-11-20T10:00:00.000Z',
    command: ['--sites', sites.join(','), '--repetitions', String(repetitions)],
    seed: 7,
    repetitions,
    timeoutS: 30,
    sites: sites.map((site, index) => ({
      site,
      url: `https://${/^[a-z0-9.-]+$/.test(site) ? site : 'www.example.org'}/`,
      source: `Generated from the shape of ${site} in December 2018; none of its content.`,
      kind: 'generated',
      hosts: 1 + (index % 7),
      resources: 4 + ((index * 37) % 190),
      wireBytes: 12_000 + ((index * 377_777) % 3_400_000),
      manifestSha256: 'ab'.repeat(32),
    })),
    stacks: STACKS.map(({ stack, label, protocol }) => ({
      stack,
      label,
      protocol,
      controlOf: null,
    })),
    networks: [...networks],
    visits: [...visits],
    choices: {
      origins: 'own',
      certificateChain: 'small',
      pinned: { browserCores: [0], serverCores: [1], linkCores: [] },
      deterministicPages: 'recorded',
      thinkTime: 'off',
      isolation: 'context',
      initialWindowSegments: null,
      subResources: 'served',
      document: 'recorded',
      tlsMost: '1.3',
      mtuBytes: 1500,
      offloads: 'off',
      receiveBufferBytes: null,
      order: 'shuffled',
      keepSecrets: false,
      hars: 'all',
      compressHars: false,
    },
    analysis: { baseline: 'bun-h2', marginPercent: 5, metric: 'pageLoad' },
    quietRule: { otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 300 },
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
    },
  };
  const pageLoads: PageLoad[] = [];
  const calibrations: CalibrationRecord[] = [];
  let networkSeed = 0;
  for (const [siteIndex, site] of sites.entries()) {
    const baseMs = 60 + ((siteIndex * 97) % 900);
    for (const network of networks) {
      const calibration = calibrationOf(site, network, backend, random, calibrations.length);
      calibrations.push(calibration);
      for (const visit of visits) {
        // As the runner does it: warm-ups come once for each site, in its first condition.
        const first = warmups && network === networks[0] && visit === visits[0] ? 0 : 1;
        const condition = visit === 'cold' ? network.name : `${network.name}.${visit}`;
        for (let repetition = first; repetition <= repetitions; repetition += 1) {
          networkSeed += 1;
          for (const { stack, protocol, factor, roundTrips } of STACKS.toSorted(
            () => random() - 0.5,
          )) {
            const warmup = repetition === 0;
            const id = `s${siteIndex + 1}.${condition}.${stack}.${warmup ? 'warm-up' : repetition}`;
            const trial = {
              id,
              site,
              stack,
              network,
              repetition,
              block: repetition,
              warmup,
              visit,
            };
            run.trials.push({ ...trial, networkSeed });
            const cost = baseMs * factor * (0.9 + 0.25 * random()) + (warmup ? 40 : 0);
            const pageLoad = cost + roundTrips * network.rttMs;
            const load: PageLoad = {
              formatVersion: RECORD_FORMAT_VERSION,
              ...trial,
              order: pageLoads.length + 1,
              protocol,
              network: { ...network, backend, measuredRttMs: calibration.udpRttMs.median },
              browser: { id: `${stack}.1`, loadsBefore: repetition, ageMs: 1000 * repetition },
              outcome: 'ok',
              code: null,
              message: null,
              timingsMs: {
                pageLoad,
                documentTime: 8 + 20 * random() + network.rttMs,
                firstByte: 12 + 6 * random() + (stack === 'lsquic-h3' ? 2 : 3) * network.rttMs,
                connect: 4 + random() + (stack === 'lsquic-h3' ? 1 : 2) * network.rttMs,
                domContentLoaded: pageLoad * 0.7,
                firstContentfulPaint: pageLoad * 0.6,
                largestContentfulPaint: null,
                lastByte: pageLoad * 0.95,
              },
              phasesMs: phasesOf(pageLoad),
              traffic: trafficOf(protocol, 4 + siteIndex, visit),
              replay: { exact: 4 + siteIndex, byQuery: [], unknown: [] },
              connections: {
                opened: [connectionOf(run.sites[siteIndex]?.url ?? '', protocol, visit)],
                whole: true,
              },
              machine: machineUse(pageLoad),
              disturbed: null,
              harnessMs: harnessMsOf(pageLoad, visit),
              path: {
                toServer: countsOf(60 + siteIndex, 90, network, network.upKbps),
                toClient: countsOf(150 + 10 * siteIndex, 1400, network, network.downKbps),
                maxLatenessMs: backend === 'netem' ? null : 0.1 + random(),
                linkCpuMs: backend === 'netem' ? null : 20,
              },
              har: `har/${id}.har`,
              startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, pageLoads.length)).toISOString(),
              attempt: 1,
              sitting: SITTING,
            };
            change(load);
            pageLoads.push(load);
          }
        }
      }
    }
  }
  return { run, pageLoads, calibrations, sittings: [sittingOf(run)] };
}

/** The one sitting in which all of a made-up run was done. */
function sittingOf(run: RunRecord): SittingRecord {
  const { startedAt, command, host, versions, backend } = run;
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: SITTING,
    machine: 'bench',
    ...{ startedAt, command, host, versions, backend },
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
  site: string,
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
    site,
    measuredAt: new Date(Date.UTC(2026, 10, 20, 9, 0, index)).toISOString(),
    asked: {
      condition: name,
      ...{ rttMs, downKbps, upKbps, lossPercent, jitterMs },
      burstLossPercent: burstLoss
        ? (100 * burstLoss.enterPercent) / (burstLoss.enterPercent + burstLoss.leavePercent)
        : 0,
    },
    backend,
    linkPriority: backend === 'userspace' ? 'fifo' : null,
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
    requests: responses,
    responses200: responses,
    errorResponses: 0,
    failedRequests: 0,
    wireBytes: 12_000 * responses,
    connections: 1,
    connectionsByHost: { 'www.example.org': 1 },
    protocols: { [protocol]: responses },
    tlsVersion: protocol === 'h3' ? 'QUIC' : 'TLS 1.3',
    cipher: 'AES_128_GCM',
    keyExchangeGroup: 'X25519',
    fromCache,
    peakConcurrentRequests: Math.min(responses, 6),
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
    browserCpuMs: pageLoadMs * 0.8,
    runnerCpuMs: pageLoadMs * 0.1,
    udpReceiveBufferErrors: 0,
  };
}

function harnessMsOf(pageLoadMs: number, visit: VisitKind): HarnessMs {
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
  outcome: 'failed' | 'invalid',
  code: string,
  message: string,
): void {
  load.outcome = outcome;
  load.code = code;
  load.message = message;
  if (outcome === 'invalid') return;
  for (const name of Object.keys(load.timingsMs) as (keyof PageLoad['timingsMs'])[]) {
    load.timingsMs[name] = null;
  }
  load.har = null;
  load.traffic = null;
  load.replay = null;
  load.phasesMs = null;
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

/** Writes run.json, page-loads.jsonl, calibrations.jsonl and sittings.jsonl as the runner does. */
export async function writeRun(
  folder: string,
  { run, pageLoads, calibrations, sittings }: Fixture,
): Promise<void> {
  const files = runFolder(folder);
  await writeFile(files.run, `${JSON.stringify(run, null, 1)}\n`);
  await writeFile(files.pageLoads, linesOf(pageLoads));
  await writeFile(files.calibrations, linesOf(calibrations));
  await writeFile(files.sittings, linesOf(sittings));
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
