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

/** What is to be sent: bytes, or a part of a file that is read while it is sent. */
export type Body = Uint8Array | Blob;

/** A request as a stack has it once the body is read. */
interface ReceivedRequest extends ReplayRequest {
  /** Bytes of its body. */
  received: number;
}

/** A response as both Bun stacks send it. */
export interface RecordedResponse {
  status: number;
  /** Names once each; only set-cookie may hold several values. */
  headers: Record<string, string | string[]>;
  /** null: no body may follow (to HEAD, and with status 204 and 304). */
  body: Body | null;
  /** Of the body. */
  bytes: number;
  match: Match;
  /** URL of the resource it was made of; null: none. */
  recordedUrl: string | null;
}

/** Answers a request from the site's cache folder; `isGone` tells whether nobody waits for the answer any more. */
export type RecordedSite = (
  request: ReceivedRequest,
  isGone: () => boolean,
) => Promise<RecordedResponse>;

/**
 * Bodies that are read at the same time: more than a browser ever asks one server for. A client that asks for thousands and
 * gives them up at once would else have all of them in memory together.
 */
const READ_AT_ONCE = 256;

/**
 * A body that is longer is read while it is sent: the first byte waits for none of the others, and no copy of them is in memory. Up
 * to it the whole is sent as fast, and lsquic takes the rest of what it is given anew for every packet: of 30 MB that is a second.
 */
const MOST_READ_BYTES = 2 ** 20;

/** What a server waits before it answers: nothing, or what the recorded one took. */
export const THINK_MODES = ['off', 'recorded'] as const;
export type Think = (typeof THINK_MODES)[number];

/**
 * Reads the site's manifest; bodies are read when asked for, so that a large site costs no memory.
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

/** A link could lead out of the site's folder. */
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
 * What to send of the body's file.
 * @throws Error when the file is gone, is a link or has another size than the manifest says
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

/** Header pairs as an object; fields of one name are joined, but for set-cookie (RFC 9110, section 5.3). */
function joinHeaders(pairs: Resource['headers']): Record<string, string | string[]> {
  // Without what objects inherit: a header can be named constructor.
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...((before as string[] | undefined) ?? []), value];
    else headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
