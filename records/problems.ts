import type { EndManifest, FairnessManifest } from './fairness.ts';
import type { AskedNetwork } from './network.ts';
import { type PageLoad, RECORD_FORMAT_VERSION } from './page-load.ts';
import type { RunRecord } from './run.ts';

/** The first thing wrong with run.json, or null. */
export function problemOfRun(run: unknown): string | null {
  const problem = problemOfVersion(run) ?? problemOf(run, '', RUN);
  if (problem) return problem;
  const { sites, stacks, networks, fairness, trials, host } = run as RunRecord;
  return (
    problemOfList(sites, 'sites', SITE) ??
    problemOfList(stacks, 'stacks', STACK) ??
    problemOfList(networks, 'networks', ASKED_NETWORK) ??
    problemOfNames(networks) ??
    problemOfFairness(fairness) ??
    problemOfList(trials, 'trials', TRIAL) ??
    problemOf(host, 'host.', HOST)
  );
}

/** The first thing wrong with one line of page-loads.jsonl, or null. */
export function problemOfPageLoad(load: unknown): string | null {
  const problem = problemOfVersion(load) ?? problemOf(load, '', PAGE_LOAD);
  if (problem) return problem;
  const { network, timingsMs, traffic, path } = load as PageLoad;
  return (
    problemOf(network, 'network.', NETWORK) ??
    problemOf(timingsMs, 'timingsMs.', TIMINGS) ??
    (traffic && problemOf(traffic, 'traffic.', TRAFFIC)) ??
    (path &&
      (problemOf(path.toServer, 'path.toServer.', DIRECTION) ??
        problemOf(path.toClient, 'path.toClient.', DIRECTION) ??
        problemOf(path, 'path.', { maxLatenessMs: orNull(amount) })))
  );
}

/** The first thing wrong with one line of calibrations.jsonl, or null. */
export function problemOfCalibration(calibration: unknown): string | null {
  const problem = problemOf(calibration, '', CALIBRATION);
  if (problem) return problem;
  const record = calibration as Record<string, unknown>;
  return (
    problemOf(record.asked, 'asked.', ASKED) ??
    SPREADS.map((name) => problemOf(record[name], `${name}.`, SPREAD)).find(
      (found) => found !== null,
    ) ??
    null
  );
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const name: Check = (value) => typeof value === 'string' && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const amount: Check = (value) => number(value) && (value as number) >= 0;
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const like =
  (checks: Record<string, Check>): Check =>
  (value) =>
    problemOf(value, '', checks) === null;
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const textByName: Check = (value) => isObject(value) && Object.values(value).every(text);
const countByName: Check = (value) => isObject(value) && Object.values(value).every(count);

function problemOfVersion(record: unknown): string | null {
  if (!isObject(record)) return 'not an object';
  if (record.formatVersion === RECORD_FORMAT_VERSION) return null;
  return `formatVersion is ${shown(record.formatVersion)}, this version reads ${RECORD_FORMAT_VERSION}`;
}

/** Calibrations know a network condition by its name. */
function problemOfNames(networks: readonly AskedNetwork[]): string | null {
  const again = networks.findIndex(
    (network, index) => networks.findIndex((other) => other.name === network.name) < index,
  );
  return again < 0 ? null : `networks[${again}].name is ${shown(networks[again]?.name)} once more`;
}

function problemOfFairness(fairness: FairnessManifest): string | null {
  return (
    problemOf(fairness, 'fairness.', FAIRNESS) ??
    problemOf(fairness.client, 'fairness.client.', END) ??
    problemOf(fairness.server, 'fairness.server.', END)
  );
}

function problemOfList(
  list: unknown[],
  listName: string,
  checks: Record<string, Check>,
): string | null {
  for (const [index, entry] of list.entries()) {
    const problem = problemOf(entry, `${listName}[${index}].`, checks);
    if (problem) return problem;
  }
  return null;
}

function problemOf(record: unknown, prefix: string, checks: Record<string, Check>): string | null {
  if (!isObject(record)) {
    return prefix === '' ? 'not an object' : `${prefix.replace(/\.$/, '')} is ${shown(record)}`;
  }
  for (const [field, check] of Object.entries(checks)) {
    if (!Object.hasOwn(record, field)) return `${prefix}${field} is missing`;
    if (!check(record[field])) return `${prefix}${field} is ${shown(record[field])}`;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length > 60 ? `${json.slice(0, 60)}...` : json;
}

const PROTOCOL = oneOf('h3', 'h2', 'http/1.1');

const BACKEND = oneOf('netem', 'userspace');

const ASKED_NETWORK = {
  name,
  rttMs: amount,
  downKbps: orNull(amount),
  upKbps: orNull(amount),
  lossPercent: amount,
  jitterMs: amount,
  burstLoss: orNull(like({ enterPercent: amount, leavePercent: amount })),
};

const NETWORK = { ...ASKED_NETWORK, backend: BACKEND, measuredRttMs: orNull(amount) };

const DIRECTION = { packets: count, bytes: count, lost: count, queueDrops: count };

const TIMINGS = {
  pageLoad: orNull(number),
  documentTime: orNull(number),
  firstByte: orNull(number),
  connect: orNull(number),
  domContentLoaded: orNull(number),
  firstContentfulPaint: orNull(number),
  largestContentfulPaint: orNull(number),
};

const TRAFFIC = {
  requests: count,
  responses200: count,
  errorResponses: count,
  failedRequests: count,
  wireBytes: orNull(amount),
  connections: count,
  protocols: countByName,
  tlsVersion: orNull(text),
  cipher: orNull(text),
};

const PAGE_LOAD = {
  id: name,
  order: count,
  site: name,
  stack: name,
  protocol: PROTOCOL,
  network: isObject,
  repetition: count,
  block: count,
  warmup: flag,
  visit: oneOf('cold'),
  outcome: oneOf('ok', 'failed', 'invalid'),
  code: orNull(text),
  message: orNull(text),
  timingsMs: isObject,
  traffic: orNull(isObject),
  path: orNull(isObject),
  har: orNull(text),
  startedAt: text,
  attempt: count,
};

const SITE = {
  site: name,
  url: text,
  source: text,
  kind: text,
  hosts: count,
  resources: count,
  wireBytes: amount,
  manifestSha256: text,
};

const STACK = { stack: name, label: name, protocol: PROTOCOL };

const TRIAL = {
  id: name,
  site: name,
  stack: name,
  network: like(ASKED_NETWORK),
  networkSeed: count,
  repetition: count,
  block: count,
  warmup: flag,
  visit: oneOf('cold'),
};

const HOST = {
  os: text,
  kernel: text,
  cpu: text,
  cores: count,
  memoryMb: amount,
  loadAverage1m: amount,
};

const RUN = {
  runId: name,
  startedAt: text,
  command: texts,
  seed: number,
  repetitions: count,
  timeoutS: amount,
  sites: Array.isArray,
  stacks: Array.isArray,
  networks: Array.isArray,
  backend: BACKEND,
  fairness: isObject,
  trials: Array.isArray,
  versions: textByName,
  host: isObject,
};

const reading = (value: Check): Check => like({ value: orNull(value), from: text });

const FAIRNESS = {
  readAt: text,
  client: isObject,
  server: isObject,
  stacks: (stacks: unknown) =>
    isObject(stacks) &&
    Object.values(stacks).every(
      (stack) => isObject(stack) && Object.values(stack).every(reading(text)),
    ),
};

const BUFFER_RANGE = like({ minimum: amount, initial: amount, maximum: amount });

const END: Record<keyof EndManifest, Check> = {
  tcpCongestionControl: reading(text),
  tcpInitialWindowSegments: reading(amount),
  tcpMssBytes: reading(amount),
  pathMtuBytes: reading(amount),
  deviceMtuBytes: reading(amount),
  segmentsPerPacket: reading(amount),
  queueingDiscipline: reading(text),
  offloads: reading((value) => isObject(value) && Object.values(value).every(flag)),
  tcpSlowStartAfterIdle: reading(flag),
  tcpSavesMetrics: reading(flag),
  tcpEcn: reading(number),
  tcpReceiveBufferBytes: reading(BUFFER_RANGE),
  tcpSendBufferBytes: reading(BUFFER_RANGE),
  udpReceiveBufferBytes: reading(amount),
  udpSendBufferBytes: reading(amount),
  udpReceiveBufferLimitBytes: reading(amount),
  udpSendBufferLimitBytes: reading(amount),
  ipv6: reading(flag),
  routes: reading(texts),
};

const SPREADS = ['udpRttMs', 'tcpRttMs', 'tcpConnectMs', 'toServerMs', 'toClientMs'] as const;

// One-way times come from two clock readings and are numbers of any sign.
const SPREAD = { count, minimum: number, median: number, p90: number, maximum: number };

const ASKED = {
  condition: name,
  rttMs: amount,
  downKbps: orNull(amount),
  upKbps: orNull(amount),
  lossPercent: amount,
  jitterMs: amount,
  burstLossPercent: amount,
};

const CALIBRATION = {
  site: name,
  measuredAt: text,
  asked: isObject,
  backend: BACKEND,
  linkPriority: orNull(text),
  udpRttMs: isObject,
  tcpRttMs: isObject,
  tcpConnectMs: isObject,
  toServerMs: isObject,
  toClientMs: isObject,
  udpProbes: count,
  udpProbesLost: count,
  downKbps: orNull(amount),
  upKbps: orNull(amount),
  downOfferedKbps: orNull(amount),
  upOfferedKbps: orNull(amount),
  loadAverage1m: amount,
  cores: count,
};
