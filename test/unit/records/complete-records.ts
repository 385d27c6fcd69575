import type { CalibrationRecord, Spread } from '../../../records/calibration.ts';
import type { ConnectionRecord } from '../../../records/connection.ts';
import type { BufferRange, EndManifest, Reading } from '../../../records/fairness.ts';
import type { StackPair } from '../../../records/like-for-like.ts';
import type { LookRecord } from '../../../records/look.ts';
import type { AskedNetwork } from '../../../records/network.ts';
import type { PageLoad } from '../../../records/page-load.ts';
import type { RunRecord } from '../../../records/run.ts';
import type { SittingRecord } from '../../../records/sitting.ts';
import { STACK_PROPERTIES, type StackReadings } from '../../../records/stack-readings.ts';

/** A record in which every field is there and nothing is null or empty, so that nothing of its type can be forgotten. */
export type Complete<T> = T extends readonly (infer Entry)[]
  ? [Complete<NonNullable<Entry>>, ...Complete<NonNullable<Entry>>[]]
  : T extends object
    ? { [Key in keyof T]-?: Complete<NonNullable<T[Key]>> }
    : T;

/**
 * The places of a record that may be null, for example `networks[].downKbps`; `{}` stands for any name. The compiler
 * asks for each of them and refuses others. The values of readings are not among them: all of those may be null.
 */
export type NullablePlaces<T> = Record<NullablePlaceOf<T, ''>, true>;

type NullablePlaceOf<T, Place extends string> =
  T extends Reading<unknown>
    ? never
    : T extends readonly (infer Entry)[]
      ? PlaceOf<Entry, `${Place}[]`>
      : T extends object
        ? string extends keyof T
          ? PlaceOf<T[keyof T], `${Place}{}`>
          : { [Key in keyof T & string]-?: PlaceOf<T[Key], Join<Place, Key>> }[keyof T & string]
        : never;

type PlaceOf<T, Place extends string> =
  | (null extends T ? Place : never)
  | NullablePlaceOf<NonNullable<T>, Place>;

type Join<Place extends string, Key extends string> = Place extends '' ? Key : `${Place}.${Key}`;

const NETWORK: Complete<AskedNetwork> = {
  name: 'lossy',
  rttMs: 50,
  downKbps: 5000,
  upKbps: 1000,
  lossPercent: 1,
  jitterMs: 2,
  burstLoss: { enterPercent: 0.5, leavePercent: 30 },
};

function read<T>(value: T): { value: T; from: string } {
  return { value, from: 'ip link' };
}

const RANGE: BufferRange = { minimum: 4096, initial: 131_072, maximum: 6_291_456 };

const END: Complete<EndManifest> = {
  tcpCongestionControl: read('cubic'),
  tcpInitialWindowSegments: read(10),
  tcpMssBytes: read(1448),
  pathMtuBytes: read(1500),
  deviceMtuBytes: read(1500),
  segmentsPerPacket: read(1),
  queueingDiscipline: read('netem'),
  offloads: read({ 'tx-checksum-ip-generic': true }),
  tcpSlowStartAfterIdle: read(false),
  tcpSavesMetrics: read(false),
  tcpEcn: read(2),
  tcpReceiveBufferBytes: read(RANGE),
  tcpSendBufferBytes: read(RANGE),
  udpReceiveBufferBytes: read(212_992),
  udpSendBufferBytes: read(212_992),
  udpReceiveBufferLimitBytes: read(212_992),
  udpSendBufferLimitBytes: read(212_992),
  ipv6: read(false),
  routes: read(['10.89.1.0/24'] as [string]),
};

const READINGS = Object.fromEntries(
  Object.keys(STACK_PROPERTIES).map((property) => [property, read('cubic')]),
) as Complete<StackReadings>;

const PAIR: Complete<StackPair> = {
  a: 'bun-h2',
  b: 'bun-h2-control',
  likeForLike: 'yes',
  sentence: 'like for like',
  properties: [
    {
      property: 'congestionControl',
      label: 'congestion control',
      verdict: 'equal',
      a: 'cubic',
      b: 'cubic',
      decides: true,
      note: 'None.',
    },
  ],
};

export const COMPLETE_RUN: Complete<RunRecord> = {
  formatVersion: 4,
  runId: '2026-11-20T10-00-00',
  planSha256: 'ab'.repeat(32),
  preset: 'published',
  startedAt: '2026-11-20T10:00:00.000Z',
  command: ['--control'],
  seed: 1,
  repetitions: 5,
  stopping: { rule: 'pocock-spending', alpha: 0.05, budgetMs: 240_000, blocksPerLook: 6 },
  timeoutS: 30,
  sites: [
    {
      site: 'www.example.org',
      url: 'https://www.example.org/',
      source: 'Generated.',
      kind: 'generated',
      hosts: 1,
      resources: 3,
      wireBytes: 12_345,
      manifestSha256: 'ab'.repeat(32),
    },
  ],
  stacks: [
    {
      stack: 'bun-h2-control',
      label: 'Bun (h2), control',
      protocol: 'h2',
      controlOf: 'bun-h2-control',
    },
  ],
  networks: [NETWORK],
  visits: ['repeat'],
  choices: {
    origins: 'shared',
    certificateChain: 'realistic',
    pinned: { browserCores: [0, 1], serverCores: [2], linkCores: [3] },
    deterministicPages: 'all',
    thinkTime: 'recorded',
    isolation: 'process',
    initialWindowSegments: 32,
    subResources: 'missing',
    document: 'as-saved',
    tlsMost: '1.2',
    mtuBytes: 1500,
    offloads: 'on',
    receiveBufferBytes: 1_048_576,
    order: 'sequential',
    keepSecrets: true,
    hars: 'median',
    compressHars: true,
  },
  analysis: { baseline: 'bun-h2-control', marginPercent: 5, metric: 'pageLoad' },
  quietRule: { otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 300 },
  backend: 'netem',
  fairness: {
    readAt: '2026-11-20T10:00:01.000Z',
    client: END,
    server: END,
    stacks: { 'bun-h2-control': { program: read('Bun 1.4.5') } },
    readings: { 'bun-h2-control': READINGS },
    pairs: [PAIR],
  },
  trials: [
    {
      id: 'www.example.org.lossy.repeat.bun-h2-control.1',
      site: 'www.example.org',
      stack: 'bun-h2-control',
      network: NETWORK,
      networkSeed: 77,
      repetition: 1,
      block: 1,
      warmup: false,
      visit: 'repeat',
    },
  ],
  versions: { node: '24.21.0' },
  host: {
    os: 'Debian GNU/Linux 12 (bookworm)',
    kernel: '6.1.0-30-amd64',
    cpu: 'Example CPU',
    cores: 4,
    memoryMb: 7961,
    loadAverage1m: 0.12,
  },
};

const DIRECTION = { packets: 150, bytes: 210_000, lost: 2, queueDrops: 1 };

const CONNECTION: Complete<ConnectionRecord> = {
  host: 'www.example.org',
  address: '10.89.1.2:443',
  clientPort: 40_123,
  transport: 'tcp',
  offered: 'resumption',
  tlsVersion: 'TLS 1.3',
  cipher: 'AES_128_GCM',
  handshake: 'resumed',
  earlyData: 'none',
};

export const COMPLETE_PAGE_LOAD: Complete<PageLoad> = {
  formatVersion: 4,
  id: 'www.example.org.lossy.repeat.bun-h2.1',
  order: 7,
  site: 'www.example.org',
  stack: 'bun-h2',
  protocol: 'h2',
  network: { ...NETWORK, backend: 'userspace', measuredRttMs: 50.2 },
  repetition: 1,
  block: 1,
  warmup: false,
  visit: 'repeat',
  browser: { id: 'bun-h2.3', loadsBefore: 12, ageMs: 8250.5 },
  outcome: 'invalid',
  code: 'wrong-status',
  message: 'https://www.example.org/ came with status 404, expected 200.',
  timingsMs: {
    pageLoad: 412.5,
    documentTime: 80.25,
    firstByte: 160.5,
    connect: 105.75,
    domContentLoaded: 300.5,
    firstContentfulPaint: 310.5,
    largestContentfulPaint: 320.5,
    lastByte: 390.5,
  },
  phasesMs: { setUp: 105.75, waiting: 120.25, transfer: 60.5, rest: 126 },
  traffic: {
    requests: 2,
    responses200: 1,
    errorResponses: 1,
    failedRequests: 0,
    wireBytes: 12_345,
    connections: 1,
    connectionsByHost: { 'www.example.org': 1 },
    protocols: { h2: 2 },
    tlsVersion: 'TLS 1.3',
    cipher: 'AES_128_GCM',
    keyExchangeGroup: 'X25519',
    fromCache: 1,
    peakConcurrentRequests: 2,
    responseHeaderNames: ['content-type', 'date'],
    responseHeadersSha256: 'cd'.repeat(32),
  },
  replay: {
    exact: 1,
    byQuery: [{ asked: 'https://www.example.org/?t=2', answered: 'https://www.example.org/?t=1' }],
    unknown: ['GET https://www.example.org/none'],
  },
  connections: { opened: [CONNECTION], whole: true },
  machine: {
    loadAverage1m: 0.6,
    availableMemoryMb: 5120,
    cpuPressurePercent: 3.5,
    stealPercent: 0.25,
    otherCpuPercent: 31.5,
    serverCpuMs: 12.5,
    browserCpuMs: 330.5,
    runnerCpuMs: 140.5,
    udpReceiveBufferErrors: 0,
  },
  disturbed: 'Other programs took 31.5 % of a core; the limit is 25 %.',
  harnessMs: {
    prepare: 120,
    earlierLoad: 900,
    load: 415,
    settle: 120,
    judge: 25,
  },
  path: { toServer: DIRECTION, toClient: DIRECTION, maxLatenessMs: 0.4, linkCpuMs: 25.5 },
  har: 'har/www.example.org.lossy.repeat.bun-h2.1.har',
  startedAt: '2026-11-20T10:00:07.000Z',
  attempt: 1,
  sitting: '2026-11-20T10-00-00-bench-1',
};

const SPREAD: Complete<Spread> = {
  count: 50,
  minimum: 49.9,
  p25: 50,
  median: 50.1,
  p90: 50.4,
  p99: 51.2,
  maximum: 51.5,
};

export const COMPLETE_CALIBRATION: Complete<CalibrationRecord> = {
  site: 'www.example.org',
  measuredAt: '2026-11-20T10:00:02.000Z',
  asked: {
    condition: 'lossy',
    rttMs: 50,
    downKbps: 5000,
    upKbps: 1000,
    lossPercent: 1,
    jitterMs: 2,
    burstLossPercent: 1.6,
  },
  backend: 'userspace',
  linkPriority: 'fifo',
  udpRttMs: SPREAD,
  tcpRttMs: SPREAD,
  tcpConnectMs: SPREAD,
  toServerMs: SPREAD,
  toClientMs: SPREAD,
  udpProbes: 51,
  udpProbesLost: 1,
  downKbps: 4990,
  upKbps: 995,
  downOfferedKbps: 7500,
  upOfferedKbps: 1500,
  downPausedPercent: 3.5,
  upPausedPercent: 0.5,
  loadAverage1m: 0.4,
  cores: 4,
  late: 'The path was late when it was measured: a round trip of UDP took 57.5 ms at the 99th percentile (at most 55 ms on a quiet machine).',
};

export const NULLABLE_IN_RUN: NullablePlaces<RunRecord> = {
  preset: true,
  'stacks[].controlOf': true,
  'networks[].downKbps': true,
  'networks[].upKbps': true,
  'networks[].burstLoss': true,
  'trials[].network.downKbps': true,
  'trials[].network.upKbps': true,
  'trials[].network.burstLoss': true,
  'fairness.pairs[].properties[].a': true,
  'fairness.pairs[].properties[].b': true,
  'choices.pinned': true,
  'choices.initialWindowSegments': true,
  'choices.receiveBufferBytes': true,
};

export const NULLABLE_IN_PAGE_LOAD: NullablePlaces<PageLoad> = {
  'network.downKbps': true,
  'network.upKbps': true,
  'network.burstLoss': true,
  'network.measuredRttMs': true,
  code: true,
  message: true,
  'timingsMs.pageLoad': true,
  'timingsMs.documentTime': true,
  'timingsMs.firstByte': true,
  'timingsMs.connect': true,
  'timingsMs.domContentLoaded': true,
  'timingsMs.firstContentfulPaint': true,
  'timingsMs.largestContentfulPaint': true,
  'timingsMs.lastByte': true,
  phasesMs: true,
  traffic: true,
  'traffic.wireBytes': true,
  'traffic.tlsVersion': true,
  'traffic.cipher': true,
  'traffic.keyExchangeGroup': true,
  replay: true,
  browser: true,
  connections: true,
  'connections.opened[].host': true,
  'connections.opened[].tlsVersion': true,
  'connections.opened[].cipher': true,
  'connections.opened[].handshake': true,
  machine: true,
  'machine.cpuPressurePercent': true,
  'machine.stealPercent': true,
  'machine.serverCpuMs': true,
  'machine.browserCpuMs': true,
  'machine.runnerCpuMs': true,
  disturbed: true,
  path: true,
  'path.maxLatenessMs': true,
  'path.linkCpuMs': true,
  har: true,
};

export const NULLABLE_IN_CALIBRATION: NullablePlaces<CalibrationRecord> = {
  'asked.downKbps': true,
  'asked.upKbps': true,
  linkPriority: true,
  downKbps: true,
  upKbps: true,
  downOfferedKbps: true,
  upOfferedKbps: true,
  downPausedPercent: true,
  upPausedPercent: true,
  late: true,
};

export const COMPLETE_SITTING: Complete<SittingRecord> = {
  formatVersion: 4,
  id: '2026-11-20T10-00-00-bench-1',
  machine: 'bench-1',
  startedAt: '2026-11-20T10:00:00.000Z',
  command: ['--control'],
  part: 'shard 1/2',
  host: COMPLETE_RUN.host,
  versions: { node: '24.21.0' },
  backend: 'netem',
  differences: ['chromium is 156.0.1, it was 156.0.0.'],
};

export const COMPLETE_LOOK: Complete<LookRecord> = {
  formatVersion: 4,
  sitting: '2026-11-20T10-00-00-bench-1',
  at: '2026-11-20T10:02:00.000Z',
  order: 48,
  elapsedMs: 90_123.5,
  fraction: 0.375,
  told: [{ network: 'lossy', visit: 'repeat' }],
  end: 'told',
};

export const NULLABLE_IN_LOOK: NullablePlaces<LookRecord> = { end: true };

export const NULLABLE_IN_SITTING: NullablePlaces<SittingRecord> = { part: true };
