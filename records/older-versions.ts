import { FORMAT } from './format.ts';
import type { Protocol } from './protocol.ts';
import { usualVia } from './via.ts';

/** A record as it was read, of any kind. */
type Raw = Record<string, unknown>;

/** A record of an older format as one of today's; anything else as it is. */
export function upgraded(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  let raw = record as Raw;
  if (raw.formatVersion === 3) raw = fromVersion3(raw);
  if (raw.formatVersion === 4 || isOldCalibration(raw)) raw = fromVersion4(raw);
  return isOldConnection(raw) ? connectionFromMinor3(raw) : raw;
}

/** Until format 5.3 a connection said nothing of itself but where it went. */
function isOldConnection({ experiment, details }: Raw): boolean {
  return experiment === 'connect' && details instanceof Object && !('via' in details);
}

/** They were made in full, by Bun. */
function connectionFromMinor3(attempt: Raw): Raw {
  const told = { lookupMs: null, client: 'bun', resumption: 'none', facts: null, error: null };
  const via = usualVia(attempt.protocol as Protocol);
  return { ...attempt, details: { via, ...told, ...(attempt.details as Raw) } };
}

/** Loads of format 3 were made in a browser process each, and their handshakes were counted by the browser, which tells no connections. */
function fromVersion3(record: Raw): Raw {
  const raw: Raw = { ...record, formatVersion: 4 };
  if ('harnessMs' in raw) return loadFromVersion3(raw);
  if ('choices' in raw) {
    const { netLog: _, ...choices } = raw.choices as Raw;
    raw.choices = { ...choices, isolation: 'process' };
  }
  return raw;
}

function loadFromVersion3({ handshakes: _, harnessMs, ...load }: Raw): Raw {
  const steps = harnessMs as Record<'launch' | 'prepare' | 'har' | 'tearDown', number> & Raw;
  return {
    ...load,
    browser: null,
    connections: null,
    machine: load.machine && { runnerCpuMs: null, ...(load.machine as Raw) },
    path: load.path && { ...(load.path as Raw), linkCpuMs: null },
    harnessMs: {
      prepare: steps.launch + steps.prepare,
      earlierLoad: steps.earlierLoad,
      load: steps.load,
      settle: steps.settle,
      judge: steps.har,
    },
  };
}

/** Format 4 knew page loads alone: sites by stacks, with a kind of visit. */
function fromVersion4(record: Raw): Raw {
  if ('timingsMs' in record) return loadFromVersion4(record);
  if ('trials' in record) return planFromVersion4(record);
  if ('udpRttMs' in record) return calibrationFromVersion4(record);
  if ('elapsedMs' in record) return lookFromVersion4(record);
  return { ...record, ...FORMAT };
}

const EXPERIMENT = 'page-load';
const CLIENT = 'chromium';
const METRIC_NAMES: Readonly<Record<string, string>> = {
  pageLoad: 'pageLoadMs',
  documentTime: 'documentMs',
  firstByte: 'firstByteMs',
  connect: 'connectMs',
  domContentLoaded: 'domContentLoadedMs',
  firstContentfulPaint: 'firstContentfulPaintMs',
  largestContentfulPaint: 'largestContentfulPaintMs',
  lastByte: 'lastByteMs',
};

function loadFromVersion4(load: Raw): Raw {
  const { formatVersion: _, id, order, site, stack: arm, visit, timingsMs, ...rest } = load;
  const { browser, phasesMs, traffic, replay, har, harnessMs, sitting, machine, ...common } = rest;
  const timings = Object.entries(timingsMs as Raw).map(([key, ms]) => [METRIC_NAMES[key], ms]);
  const { wireBytes, requests, connections, peakConcurrentRequests, ...seen } =
    (traffic as Raw | null) ?? {};
  return {
    ...FORMAT,
    id,
    order,
    experiment: EXPERIMENT,
    subject: site,
    arm,
    stack: stackOf(arm as string),
    ...common,
    factors: { visit },
    client: browser && clientFromVersion4(browser as Raw),
    metrics: {
      ...Object.fromEntries(timings),
      completeMs: null,
      wireBytes: wireBytes ?? null,
      requests: requests ?? null,
      connections: connections ?? null,
      connectionsPerOrigin: connectionsPerOrigin(seen.connectionsByHost as Raw | undefined),
      peakConcurrentRequests: peakConcurrentRequests ?? null,
    },
    machine: machine && machineFromVersion4(machine as Raw),
    stepsMs: harnessMs,
    files: har === null ? {} : { har },
    invocation: sitting,
    details: { phasesMs, traffic: traffic && seen, replay },
  };
}

function connectionsPerOrigin(byHost: Raw | undefined): number | null {
  const counts = Object.values(byHost ?? {}) as number[];
  return counts.length === 0 ? null : counts.reduce((sum, each) => sum + each, 0) / counts.length;
}

function machineFromVersion4({ browserCpuMs, ...machine }: Raw): Raw {
  return { ...machine, clientCpuMs: browserCpuMs };
}

function clientFromVersion4({ loadsBefore, ...browser }: Raw): Raw {
  return { ...browser, attemptsBefore: loadsBefore };
}

/** A control was known by the end of its name. */
function stackOf(arm: string): string {
  return arm.replace(/-control$/, '');
}

function planFromVersion4(plan: Raw): Raw {
  const { formatVersion: _, sites, stacks, visits, quietRule, analysis, trials, ...rest } = plan;
  const { metric, ...comparison } = analysis as Raw;
  return {
    ...FORMAT,
    ...rest,
    experiment: EXPERIMENT,
    recordFile: 'page-loads.jsonl',
    subjects: (sites as Raw[]).map(({ site, ...facts }) => ({ subject: site, ...facts })),
    arms: (stacks as Raw[]).map(({ stack: arm, ...facts }) => ({
      arm,
      ...facts,
      stack: stackOf(arm as string),
      client: CLIENT,
    })),
    factors: { visit: visits },
    analysis: { ...comparison, metric: METRIC_NAMES[metric as string] },
    interferenceRule: quietRule,
    trials: (trials as Raw[]).map(({ site, stack, visit, ...trial }) => ({
      ...trial,
      subject: site,
      arm: stack,
      factors: { visit },
    })),
  };
}

/** Calibrations tell no version. */
function isOldCalibration(record: Raw): boolean {
  return 'udpRttMs' in record && 'site' in record;
}

function calibrationFromVersion4({ site, ...calibration }: Raw): Raw {
  return { subject: site, ...calibration };
}

function lookFromVersion4({ sitting, told, ...look }: Raw): Raw {
  return {
    ...look,
    ...FORMAT,
    invocation: sitting,
    told: (told as Raw[]).map(({ network, visit }) => ({ network, variant: visit })),
  };
}
