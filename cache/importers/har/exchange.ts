import type { ImportLimits } from '../../limits.ts';
import { RESOURCE_TYPES, type ResourceType } from '../../manifest.ts';
import { headerValue } from '../header-block.ts';
import { below, listOf, momentOf, quantityOf, textOf } from '../json.ts';
import { ipAddress, type ReadEntry } from '../recording-of.ts';
import { harBody } from './body.ts';

/** What the names that browsers give to kinds of requests are here. */
const TYPES: Record<string, ResourceType> = {
  document: 'document',
  stylesheet: 'stylesheet',
  script: 'script',
  image: 'image',
  font: 'font',
  xhr: 'xhr',
  fetch: 'xhr',
  media: 'other',
  texttrack: 'other',
  manifest: 'other',
  ping: 'other',
};

/** One entry of a HAR as an exchange, with what could not be taken over. */
export async function harExchange(
  entry: unknown,
  where: string,
  attached: (name: string) => Promise<Uint8Array | null>,
  limits: Readonly<ImportLimits>,
): Promise<ReadEntry> {
  const request = below(entry, 'request');
  const response = below(entry, 'response');
  const headers = headersOf(response, limits.headers);
  const { body, bodyIs, contentType, note } = await harBody(response, headers, attached);
  const timings = below(entry, 'timings');
  const status = below(response, 'status');
  return {
    exchange: {
      where,
      method: (textOf(below(request, 'method')) ?? '').toUpperCase(),
      url: textOf(below(request, 'url')) ?? '',
      status: typeof status === 'number' ? status : 0,
      headers: contentType ? withContentType(headers, contentType) : headers,
      body,
      ...(body === null && note !== undefined ? { whyNoBody: note } : {}),
      bodyIs,
      type: typeOf(entry),
      startedAt: momentOf(below(entry, 'startedDateTime')) ?? undefined,
      // Tools that know no wait write 0.
      waitMs: quantityOf(below(timings, 'wait')) || undefined,
      serverMs: quantityOf(below(timings, '_server')) ?? undefined,
      connectMs: tcpConnectMs(entry),
      requestHeaders: headersOf(request, limits.headers),
      serverAddress: ipAddress(textOf(below(entry, 'serverIPAddress'))),
      sizes: {
        decodedBytes: sizeOf(below(response, 'content', 'size')),
        wireBytes: wireBytesOf(response, headers),
      },
    },
    notes: note === undefined || body === null ? [] : [note],
  };
}

function typeOf(entry: unknown): ResourceType | null {
  // As this project's own export writes it.
  const own = RESOURCE_TYPES.find((type) => type === below(entry, '_type'));
  const type = textOf(below(entry, '_resourceType'))?.toLowerCase() ?? '';
  return own ?? (Object.hasOwn(TYPES, type) ? (TYPES[type] as ResourceType) : null);
}

/**
 * Headers in their order, and one more than the limit where there are more. Browsers join values of headers that came several times by line
 * feeds, so each line is a header of its own; other line breaks stay, and the value is refused for them later.
 */
function headersOf(message: unknown, most: number): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (const header of listOf(below(message, 'headers'))) {
    const name = textOf(below(header, 'name'));
    const value = textOf(below(header, 'value'));
    // `:status` and its like belong to HTTP/2 itself.
    if (name === null || value === null || name.startsWith(':')) continue;
    for (const line of value.split('\n', most + 1)) headers.push([name, latin1(line)]);
    if (headers.length > most) break;
  }
  return headers.slice(0, most + 1);
}

/** Header values are bytes; what cannot be one was UTF-8 that somebody decoded. */
function latin1(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function withContentType(headers: [string, string][], contentType: string): [string, string][] {
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'content-type');
  if (at === -1) return [...headers, ['content-type', contentType]];
  return headers.with(at, ['content-type', contentType]);
}

/** The time of the TCP handshake: `connect` without the TLS handshake, which is part of it. HTTP/3 has one for both. */
function tcpConnectMs(entry: unknown): number | undefined {
  const connectMs = quantityOf(below(entry, 'timings', 'connect'));
  if (connectMs === null || connectMs === 0) return undefined;
  const version = textOf(below(entry, 'response', 'httpVersion'))?.toLowerCase() ?? '';
  if (version.startsWith('h3') || version.startsWith('http/3')) return connectMs;
  const tlsMs = quantityOf(below(entry, 'timings', 'ssl')) ?? 0;
  return tlsMs < connectMs ? connectMs - tlsMs : undefined;
}

function wireBytesOf(response: unknown, headers: [string, string][]): number | null {
  const bodyBytes = sizeOf(below(response, 'bodySize'));
  if (bodyBytes !== null && bodyBytes > 0) return bodyBytes;
  const length = headerValue(headers, 'content-length') ?? '';
  if (/^\d{1,15}$/.test(length)) return Number(length);
  if (headers.length > 0 && headerValue(headers, 'content-encoding') === null) {
    return sizeOf(below(response, 'content', 'size'));
  }
  // With the headers in it: better than nothing.
  const transferred = sizeOf(below(response, '_transferSize'));
  return transferred === 0 ? null : transferred;
}

function sizeOf(value: unknown): number | null {
  const size = quantityOf(value);
  return size !== null && Number.isSafeInteger(size) ? size : null;
}
