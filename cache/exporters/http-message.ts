import { STATUS_CODES } from 'node:http';
import type { Resource, ResourceType } from '../manifest.ts';

/**
 * A response in HTTP/1.1 format: status line, headers, an empty line, body.
 * @param more headers to put before its own
 */
export function httpResponse(
  { status, headers }: Resource,
  body: Uint8Array,
  more: [name: string, value: string][] = [],
): Buffer {
  const lines = [...more, ...headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Browsers' values of `Sec-Fetch-Dest`; for `other`, one that importers read as `other` again. */
const DESTINATIONS: Record<ResourceType, string> = {
  document: 'document',
  iframe: 'iframe',
  script: 'script',
  stylesheet: 'style',
  image: 'image',
  font: 'font',
  xhr: 'empty',
  other: 'manifest',
};

/** A request in HTTP/1.1 format, with its destination, and the cookies that select its response. */
export function httpRequest({ method, url, type }: Resource, cookies: string | null): Buffer {
  const { host, pathname, search } = new URL(url);
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Sec-Fetch-Dest: ${DESTINATIONS[type]}`,
    ...(cookies === null ? [] : [`Cookie: ${cookies}`]),
  ];
  return Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
}
