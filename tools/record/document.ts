import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { cacheUrl } from '../../cache/importers/file-url.ts';
import { CONTENT_ENCODINGS, type SiteManifest } from '../../cache/manifest.ts';
import { documentChainOf } from '../../cache/resource-answers.ts';
import { boundedBody } from '../../ground/system/bounded-body.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFileSync, readPlainTextSync } from '../../ground/system/plain-file.ts';

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
const MAX_DOCUMENT_BYTES = 20_000_000;

interface FetchOptions {
  /** PEM file of further authorities; absent: those of Node alone. */
  trust?: string;
  signal?: AbortSignal;
  /** Makes connections; absent: Node's own agent does. */
  agent?: https.Agent;
}

/**
 * Compares the bytes of a live page's document with its recording, by requests without a browser. A page that differs from one
 * request to the next counts as changed.
 */
export async function documentState(
  url: string,
  { manifest, folder }: { manifest: SiteManifest; folder: string },
  options: FetchOptions,
): Promise<'same' | 'changed' | 'unreachable'> {
  const recorded = documentChainOf(manifest).at(-1);
  if (!recorded) return 'changed';
  const { body: file, contentEncoding, status } = recorded;
  try {
    const live = await fetchDocument(url, options);
    if (live?.status !== status || cacheUrl(live.url) !== recorded.url) return 'changed';
    const body = file === null ? Buffer.alloc(0) : readPlainFileSync(path.join(folder, file));
    return live.body.equals(decoded(body, contentEncoding)) ? 'same' : 'changed';
  } catch {
    options.signal?.throwIfAborted();
    return 'unreachable';
  }
}

/** Follows redirects; null: to elsewhere than https, or too many. */
async function fetchDocument(
  url: string,
  { trust, signal, agent }: FetchOptions,
): Promise<{ url: string; status: number | undefined; body: Buffer } | null> {
  const ca = trust === undefined ? undefined : [...rootCertificates, readPlainTextSync(trust)];
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])];
  let next = url;
  for (let request = 0; request <= MAX_REDIRECTS && next.startsWith('https:'); request++) {
    const response = await get(next, { ca, agent, signal: AbortSignal.any(signals) });
    const { statusCode: status = 0, headers } = response;
    if (status < 300 || status >= 400 || headers.location === undefined) {
      const body = await boundedBody(response, MAX_DOCUMENT_BYTES, 'the document');
      return { url: next, status, body: decoded(body, headers['content-encoding']) };
    }
    response.destroy();
    next = new URL(headers.location, next).href;
  }
  return null;
}

function decoded(body: Buffer, coding: string | null | undefined): Buffer {
  const known = CONTENT_ENCODINGS.find((each) => each === coding);
  return known ? unpack(body, known, MAX_DOCUMENT_BYTES) : body;
}

function get(url: string, options: https.RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    https.get(url, options, resolve).once('error', reject);
  });
}
