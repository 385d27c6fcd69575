import { serverMsOf } from '../../clients/har/server-wait.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import { bytesText, TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { reasonOf } from '../../ground/system/file-error.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { harHref } from '../../kit/page/links.ts';

/** A HAR cannot be used; the message says why, and follows the HAR's name. */
export class UnreadableHarError extends Error {
  override name = 'UnreadableHarError';
}

export interface HarFile {
  /** From the HAR's start to the load event; null: no load event. */
  onLoadMs: number | null;
  /** In order of their start. */
  requests: HarFileRequest[];
}

/** One request of a HAR; phases that did not take place have 0 ms. */
export interface HarFileRequest {
  url: string;
  /** h3, h2, http/1.1; `unknown` without a response. */
  protocol: string;
  /** 0 without a response. */
  status: number;
  /** Received, headers included; null: unknown. */
  wireBytes: number | null;
  fromCache: boolean;
  /** When the network stack took the request, since the HAR's start. */
  startMs: number;
  /** Time in the renderer, before startMs. */
  queuedMs: number;
  /** The phases after startMs, in this order. */
  blockedMs: number;
  dnsMs: number;
  /** Includes the TLS or QUIC handshake. */
  connectMs: number;
  /** Includes sending. */
  waitMs: number;
  /** Part of the wait that the server reports as its own (Server-Timing); null: it reports nothing. */
  serverMs: number | null;
  receiveMs: number;
}

/** HARs with the bodies of all responses can be larger; they would need too much memory. */
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Reads what a waterfall needs from one HAR, compressed or not.
 * @param folder the run's folder
 * @param har path relative to the folder, as in the record of the load
 * @throws UnreadableHarError when the file is missing, too large, damaged, or not among the run's HARs.
 */
export async function readHarFile(folder: string, har: string): Promise<HarFile> {
  if (harHref(har) === null) throw new UnreadableHarError("is not in the run's folder of HARs");
  const text = await readText(inFolder(folder, har));
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new UnreadableHarError('is not valid JSON');
  }
  return harFileOf(parsed);
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readPlainFile(file, { maxBytes: MOST_BYTES, noLink: true });
    // JSON cannot begin with these bytes.
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return (isGzip ? unpack(bytes, 'gzip', MOST_BYTES) : bytes).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UnreadableHarError('is missing');
    if (error instanceof TooLargeError) {
      throw new UnreadableHarError(`unpacks to more than ${bytesText(MOST_BYTES)}`);
    }
    if (code?.startsWith('Z_')) {
      throw new UnreadableHarError('cannot be unpacked: it is not a complete gzip file');
    }
    throw new UnreadableHarError(`cannot be read (${code ?? reasonOf(error)})`);
  }
}

/**
 * Extracts what a waterfall needs from a parsed HAR.
 * @throws UnreadableHarError when it lacks a field that every HAR of a run has.
 */
export function harFileOf(parsed: unknown): HarFile {
  const log = membersOf(membersOf(parsed)?.log);
  const page = membersOf(Array.isArray(log?.pages) ? log.pages[0] : undefined);
  const startMs = momentOf(page?.startedDateTime);
  if (Number.isNaN(startMs)) throw new UnreadableHarError('has no page with a start');
  if (!Array.isArray(log?.entries)) throw new UnreadableHarError('has no entries');
  const onLoad = membersOf(page?.pageTimings)?.onLoad;
  return {
    onLoadMs: isDuration(onLoad) ? onLoad : null,
    requests: log.entries
      .map((entry, index) => requestOf(entry, startMs, index + 1))
      .sort((a, b) => a.startMs - a.queuedMs - (b.startMs - b.queuedMs)),
  };
}

function requestOf(parsed: unknown, harStartMs: number, number: number): HarFileRequest {
  const entry = membersOf(parsed);
  const request = membersOf(entry?.request);
  const response = membersOf(entry?.response);
  const timings = membersOf(entry?.timings);
  const started = momentOf(entry?.startedDateTime);
  const url = request?.url;
  if (!entry || !response || !timings || typeof url !== 'string' || Number.isNaN(started)) {
    throw new UnreadableHarError(`has an entry (number ${number}) that is not valid in HAR 1.2`);
  }
  const durationOf = (name: string) => (isDuration(timings[name]) ? timings[name] : 0);
  return {
    url,
    protocol: typeof response.httpVersion === 'string' ? response.httpVersion : 'unknown',
    status: isDuration(response.status) ? response.status : 0,
    wireBytes: isDuration(response._transferSize) ? response._transferSize : null,
    fromCache: entry._fromCache !== undefined,
    startMs: started - harStartMs,
    queuedMs: durationOf('_queued'),
    blockedMs: durationOf('blocked'),
    dnsMs: durationOf('dns'),
    connectMs: durationOf('connect'),
    waitMs: durationOf('send') + durationOf('wait'),
    serverMs: serverMsOf(fieldsOf(response.headers)),
    receiveMs: durationOf('receive'),
  };
}

/** Header fields with a name and a value. */
function fieldsOf(headers: unknown): { name: string; value: string }[] {
  if (!Array.isArray(headers)) return [];
  return headers
    .map(membersOf)
    .flatMap(({ name, value } = {}) =>
      typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [],
    );
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

/** In ms since 1970; NaN: not valid. */
function momentOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

/** HAR has -1 for phases that did not take place. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
