import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Resource, readManifest } from '../../cache/manifest.ts';

/** A response as both Bun stacks send it. */
export interface RecordedResponse {
  status: number;
  /** Names once each; only set-cookie may hold several values. */
  headers: Record<string, string | string[]>;
  /** null: no body may follow (status 204 and 304). */
  body: Uint8Array | null;
}

/** Answers a request from the site's cache folder. */
export type RecordedSite = (
  method: string,
  host: string,
  pathAndQuery: string,
) => Promise<RecordedResponse>;

/** Reads the site's manifest; bodies are read when asked for, so that a large site costs no memory. */
export async function openSite(siteFolder: string): Promise<RecordedSite> {
  const manifest = await readManifest(siteFolder);
  const resources = new Map<string, Resource>();
  for (const resource of manifest.resources) {
    resources.set(`${resource.method} ${resource.url}`, resource);
  }
  return async (method, host, pathAndQuery) => {
    const resource = resources.get(`${method} https://${host}${pathAndQuery}`);
    if (!resource) return withServerHeaders(404, {}, EMPTY);
    let body: Uint8Array = EMPTY;
    if (resource.body !== null) {
      try {
        body = await readFile(path.join(siteFolder, resource.body));
      } catch (error) {
        console.error(`body of ${resource.url}: ${(error as Error).message}`);
        return withServerHeaders(500, {}, EMPTY);
      }
    }
    return withServerHeaders(resource.status, joined(resource.headers), body);
  };
}

const EMPTY = new Uint8Array();

/**
 * Without it Chromium takes a server of HTTP/3 for one that cannot be given priorities, and asks it for ten images at a
 * time as it does with HTTP/1.1; every stack sends it, so that all send the same.
 */
const ALTERNATIVE_SERVICE = 'h3=":443"; ma=86400';

/** Adds what no manifest holds: the date, where HTTP/3 is offered and, where HTTP allows a body, its length. */
function withServerHeaders(
  status: number,
  headers: Record<string, string | string[]>,
  body: Uint8Array,
): RecordedResponse {
  headers.date = new Date().toUTCString();
  headers['alt-svc'] = ALTERNATIVE_SERVICE;
  if (status === 204 || status === 304) return { status, headers, body: null };
  headers['content-length'] = String(body.length);
  return { status, headers, body };
}

/** Header pairs as an object; fields of one name are joined, but for set-cookie (RFC 9110, section 5.3). */
function joined(pairs: Resource['headers']): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...((before as string[] | undefined) ?? []), value];
    else headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
