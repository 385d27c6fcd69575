import { STATUS_CODES } from 'node:http';
import type { Resource } from '../manifest.ts';

/**
 * A response as HTTP/1.1 writes it: status line, headers, an empty line, body.
 * @param more headers that stand before its own
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

/** A request without headers of its own, as HTTP/1.1 writes it. */
export function httpRequest({ method, url }: Resource): Buffer {
  const { host, pathname, search } = new URL(url);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1');
}
