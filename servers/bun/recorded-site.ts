import { constants, lstat, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Resource, readManifest } from '../../cache/manifest.ts';
import type { Match } from '../../cache/match.ts';
import type { ByteRange } from '../replay/byte-range.ts';
import {
  failedReply,
  type ReplayRequest,
  type Reply,
  replayOf,
  type SubResources,
} from '../replay/replay.ts';
import { limitConcurrency } from './limit-concurrency.ts';

/** Bytes to send, or a part of a file that is read while it is sent. */
export type Body = Uint8Array | Blob;

/** A request after its body was read. */
export interface ReceivedRequest extends ReplayRequest {
  /** Bytes of its body. */
  received: number;
}

/** A response as sent by both Bun stacks. */
export interface RecordedResponse {
  status: number;
  /** Names are unique; only set-cookie may have several values. */
  headers: Record<string, string | string[]>;
  /** null: no body may follow (to HEAD, and with status 204 and 304). */
  body: Body | null;
  bytes: number;
  match: Match;
  /** URL of its recorded resource; null: no resource. */
  recordedUrl: string | null;
}

/** Answers a request from the site's cache folder; `isGone`: the client no longer waits for the answer. */
export type RecordedSite = (
  request: ReceivedRequest,
  isGone: () => boolean,
) => Promise<RecordedResponse>;

/**
 * Bodies read at the same time: more than a browser ever requests from one server. Without a limit, all bodies of a client
 * that cancels thousands of requests would be in memory together.
 */
const READ_AT_ONCE = 256;

/**
 * A longer body is read while it is sent: its first byte does not wait for the rest, and memory holds no copy. As one piece
 * it would be slow: lsquic copies the remaining bytes for every packet, which takes a second for 30 MB.
 */
const MOST_READ_BYTES = 2 ** 20;

/** Delay of answers: none, or that of the recorded server. */
export const THINK_MODES = ['off', 'recorded'] as const;
export type Think = (typeof THINK_MODES)[number];

/**
 * Reads the site's manifest. Bodies are read on request, so that a large site takes no memory.
 * @throws DamagedSiteError
 */
export async function openSite(
  siteFolder: string,
  { think, subResources }: { think: Think; subResources: SubResources },
): Promise<RecordedSite> {
  const replay = replayOf(await readManifest(siteFolder), subResources);
  const inTurn = limitConcurrency(READ_AT_ONCE);
  return async (request, isGone) => {
    const reply = replay(request, Date.now());
    if (think === 'recorded' && reply.waitMs > 0) await sleep(reply.waitMs);
    try {
      const read = async () => (isGone() ? EMPTY : await bodyOf(siteFolder, reply));
      return response(reply, await inTurn(read));
    } catch (error) {
      console.error(`body of ${reply.resource?.url}: ${(error as Error).message}`);
      return response(failedReply(request.method, Date.now()), EMPTY);
    }
  };
}

const EMPTY = new Uint8Array();

/** Does not follow links, which could lead out of the site's folder. */
const NO_FOLLOW = constants.O_RDONLY | constants.O_NOFOLLOW;

function response(
  { status, headers, mayHaveBody, match, resource }: Reply,
  body: Body,
): RecordedResponse {
  return {
    status,
    headers: joinHeaders(headers),
    body: mayHaveBody ? body : null,
    bytes: mayHaveBody ? bytesOf(body) : 0,
    match,
    recordedUrl: resource?.url ?? null,
  };
}

function bytesOf(body: Body): number {
  return body instanceof Blob ? body.size : body.length;
}

/**
 * The part of the body's file to send.
 * @throws Error if the file is missing, is a link, or its size differs from the manifest
 */
async function bodyOf(siteFolder: string, { resource, bytes }: Reply): Promise<Body> {
  if (resource === null || resource.body === null || bytes === null) return EMPTY;
  const file = path.join(siteFolder, resource.body);
  const wanted = bytes.last - bytes.first + 1;
  if (wanted > MOST_READ_BYTES) return unreadPartOf(file, bytes, resource);
  const isWhole = wanted === resource.wireBytes;
  const body = isWhole ? await readFile(file, { flag: NO_FOLLOW }) : await partOf(file, bytes);
  if (body.length === wanted) return body;
  throw new Error(`${file} has ${body.length} bytes where ${wanted} were expected`);
}

async function unreadPartOf(
  file: string,
  { first, last }: ByteRange,
  { wireBytes }: Pick<Resource, 'wireBytes'>,
): Promise<Blob> {
  const found = await lstat(file);
  if (!found.isFile()) throw new Error(`${file} is no plain file`);
  if (found.size === wireBytes) return Bun.file(file).slice(first, last + 1);
  throw new Error(`${file} has ${found.size} bytes where ${wireBytes} were expected`);
}

async function partOf(file: string, { first, last }: ByteRange): Promise<Uint8Array> {
  const opened = await open(file, NO_FOLLOW);
  try {
    const part = Buffer.alloc(last - first + 1);
    const { bytesRead } = await opened.read(part, 0, part.length, first);
    return part.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}

/** Header pairs as an object; fields of one name are joined, except set-cookie (RFC 9110, section 5.3). */
function joinHeaders(pairs: Resource['headers']): Record<string, string | string[]> {
  // Without inherited properties: a header may have the name constructor.
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...((before as string[] | undefined) ?? []), value];
    else headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
