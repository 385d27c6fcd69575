import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type PageLoad, RECORD_FORMAT_VERSION } from './page-load.ts';
import type { RunRecord } from './run.ts';
import { runFolder } from './run-folder.ts';

/** A run's folder cannot be used; the message names the file, the place in it and what to do. */
export class DamagedRunError extends Error {
  override name = 'DamagedRunError';
}

/** What page-loads.jsonl holds. */
export interface PageLoadsRead {
  /** In the order of the file, which is the order actually run. */
  pageLoads: PageLoad[];
  /** What the reader of a report has to know, as sentences; empty for a run that ended well. */
  warnings: string[];
}

/**
 * Reads and checks run.json of a run's folder.
 * @throws DamagedRunError when the file is missing, is not JSON or breaks the format.
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const file = runFolder(folder).run;
  const text = await readText(file);
  const run = parse(text);
  if (run === undefined) throw new DamagedRunError(`${file} is not valid JSON. ${REMEDY}`);
  const problem = problemOfRun(run);
  if (problem) throw new DamagedRunError(`${file}: ${problem}. ${REMEDY}`);
  return run as RunRecord;
}

/**
 * Reads and checks page-loads.jsonl of a run's folder. A last line that was cut while it was written (the run was
 * killed) is left out with a warning; any other damage is an error.
 * @throws DamagedRunError when the file is missing, a line is not JSON or breaks the format, or an id stands twice.
 */
export async function readPageLoads(folder: string): Promise<PageLoadsRead> {
  const file = runFolder(folder).pageLoads;
  const text = await readText(file);
  const lines = text.split('\n');
  // Every whole line ends with a line feed, so what follows the last one is empty or was cut.
  const rest = lines.pop() ?? '';
  const warnings: string[] = [];
  if (rest.trim() !== '') {
    if (parse(rest) === undefined) {
      warnings.push(
        `Line ${lines.length + 1} of ${path.basename(file)} was cut in the middle: the run was interrupted while writing it. That page load is left out.`,
      );
    } else {
      lines.push(rest);
    }
  }
  const pageLoads: PageLoad[] = [];
  const lineOfId = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const where = `${file}, line ${index + 1}`;
    const load = parse(line);
    if (load === undefined) throw new DamagedRunError(`${where} is not valid JSON. ${REMEDY}`);
    const problem = problemOfPageLoad(load);
    if (problem) throw new DamagedRunError(`${where}: ${problem}. ${REMEDY}`);
    const checked = load as PageLoad;
    const before = lineOfId.get(checked.id);
    if (before !== undefined) {
      throw new DamagedRunError(
        `${where}: id ${checked.id} stands on line ${before} already. ${REMEDY}`,
      );
    }
    lineOfId.set(checked.id, index + 1);
    pageLoads.push(checked);
  }
  return { pageLoads, warnings };
}

const REMEDY = 'Restore the file from a copy, or run the benchmark again.';

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DamagedRunError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${file} is missing. Expected the folder of a run, for example results/latest.`
        : `${file} cannot be read: ${message}`,
    );
  }
}

/** The JSON value, or undefined when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const textByName: Check = (value) => isObject(value) && Object.values(value).every(text);
const countByName: Check = (value) => isObject(value) && Object.values(value).every(count);

/** The first thing wrong with one line of page-loads.jsonl, or null. */
function problemOfPageLoad(load: unknown): string | null {
  return (
    problemOfVersion(load) ??
    problemOf(load, '', PAGE_LOAD) ??
    problemOf((load as PageLoad).network, 'network.', NETWORK) ??
    problemOf((load as PageLoad).timingsMs, 'timingsMs.', TIMINGS) ??
    ((load as PageLoad).traffic && problemOf((load as PageLoad).traffic, 'traffic.', TRAFFIC))
  );
}

/** The first thing wrong with run.json, or null. */
function problemOfRun(run: unknown): string | null {
  const problem = problemOfVersion(run) ?? problemOf(run, '', RUN);
  if (problem) return problem;
  const { sites, stacks, trials, host } = run as RunRecord;
  return (
    problemOfList(sites, 'sites', SITE) ??
    problemOfList(stacks, 'stacks', STACK) ??
    problemOfList(trials, 'trials', TRIAL) ??
    problemOf(host, 'host.', HOST)
  );
}

function problemOfVersion(record: unknown): string | null {
  if (!isObject(record)) return 'not an object';
  if (record.formatVersion === RECORD_FORMAT_VERSION) return null;
  return `formatVersion is ${shown(record.formatVersion)}, this version reads ${RECORD_FORMAT_VERSION}`;
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
  if (!isObject(record)) return `${prefix.replace(/\.$/, '')} is ${shown(record)}`;
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

const CONDITION = {
  rttMs: amount,
  downKbps: orNull(amount),
  upKbps: orNull(amount),
  lossPercent: amount,
};

const NETWORK = { ...CONDITION, backend: name, measuredRttMs: orNull(amount) };

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
  network: (value: unknown) => problemOf(value, '', CONDITION) === null,
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
  tcpCongestionControl: orNull(text),
  loopbackMtu: orNull(amount),
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
  trials: Array.isArray,
  versions: textByName,
  host: isObject,
};
