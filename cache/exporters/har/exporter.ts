import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkCoding, reencode } from '../../importers/content-coding.ts';
import { headerValue } from '../../importers/header-block.ts';
import { IMPORT_LIMITS } from '../../limits.ts';
import type { Resource, ResourceType, SiteManifest } from '../../manifest.ts';
import { answersInOrder } from '../../resource-answers.ts';
import { type ExportedSite, importOf, type WriteSite } from '../exporter.ts';

/**
 * HAR 1.2 with bodies. Non-standard fields hold what a site needs for a lossless import: `log._source`; `_url` and `_unanswered` of a
 * page; `_type` and `timings._server` of an entry; `_bodyAsSent` of a content whose bytes differ when compressed again.
 */
export const writeHar: WriteSite = async (site, target) => {
  await pipeline(Readable.from(pieces(site)), createWriteStream(target, { flags: 'wx' }));
  return { notes: [], next: (file) => importOf(file) };
};

/** Placeholder for a required time of a HAR that the site does not have. */
const UNKNOWN_MOMENT = new Date(0).toISOString();

/** Chromium's names of types; it treats iframes as documents. */
const DEVTOOLS_TYPES: Partial<Record<ResourceType, string>> = { iframe: 'document' };

/** Number of recorded requests without an entry. */
function unansweredOf({ requests }: SiteManifest): { _unanswered?: number } {
  const unanswered = requests ? requests.recorded - requests.answered : 0;
  return unanswered === 0 ? {} : { _unanswered: unanswered };
}

/** Yields one entry at a time, as a HAR can exceed the maximum string length. */
async function* pieces({ manifest, bodyOf }: ExportedSite): AsyncGenerator<string> {
  const startedDateTime = manifest.recordedAt ?? UNKNOWN_MOMENT;
  const page = {
    startedDateTime,
    id: 'page_1',
    title: manifest.url,
    pageTimings: { onContentLoad: -1, onLoad: -1 },
    _url: manifest.url,
    ...unansweredOf(manifest),
  };
  const log = {
    version: '1.2',
    creator: { name: 'quic-vs-https', version: '' },
    comment: `${manifest.site}: ${manifest.source}`,
    _source: manifest.source,
    pages: [page],
  };
  yield `{"log":${JSON.stringify(log).slice(0, -1)},\n"entries":[`;
  for (const [index, { resource, cookies }] of answersInOrder(manifest.resources).entries()) {
    const address = manifest.addresses?.[new URL(resource.url).host];
    const entry = {
      pageref: page.id,
      startedDateTime,
      time: resource.waitMs ?? 0,
      request: requestOf(resource, cookies),
      response: responseOf(resource, await bodyOf(resource)),
      cache: {},
      timings: {
        blocked: -1,
        dns: -1,
        connect: -1,
        ssl: -1,
        send: 0,
        ...waitOf(resource),
        receive: 0,
      },
      ...(address === undefined ? {} : { serverIPAddress: address }),
      _resourceType: DEVTOOLS_TYPES[resource.type] ?? resource.type,
      _type: resource.type,
    };
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
  }
  yield '\n]}}\n';
}

function waitOf({ waitMs }: Resource) {
  return waitMs === undefined ? { wait: 0 } : { wait: waitMs, _server: waitMs };
}

function requestOf({ method, url }: Resource, cookies: string | null) {
  const queryString = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  return {
    method,
    url,
    httpVersion: 'unknown',
    cookies: [],
    headers: cookies === null ? [] : [{ name: 'cookie', value: cookies }],
    queryString,
    headersSize: -1,
    bodySize: -1,
  };
}

function responseOf(resource: Resource, body: Buffer) {
  const { status, headers } = resource;
  return {
    status,
    statusText: '',
    httpVersion: 'unknown',
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    content: contentOf(resource, body),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: resource.wireBytes,
  };
}

function contentOf(resource: Resource, body: Buffer) {
  const { headers, contentEncoding, decodedBytes } = resource;
  const contentType = headerValue(headers, 'content-type') ?? '';
  const decoded = Buffer.from(checkCoding(contentEncoding, body, IMPORT_LIMITS.bodyBytes).decoded);
  const again = contentEncoding === null ? body : reencode(contentEncoding, decoded).body;
  return {
    size: decodedBytes,
    ...(contentEncoding === null ? {} : { compression: decodedBytes - body.length }),
    mimeType: contentType || 'x-unknown',
    ...textOf(decoded, contentType),
    ...(body.equals(again) ? {} : { _bodyAsSent: body.toString('base64') }),
  };
}

/** Base64 unless every reader decodes the text to the same bytes. */
function textOf(decoded: Buffer, contentType: string): { text: string; encoding?: 'base64' } {
  const saysUtf8 = /;\s*charset\s*=\s*"?utf-?8\b/i.test(contentType);
  const text = decoded.toString('utf8');
  const isAscii = text.length === decoded.length && !/[^\0-\x7f]/.test(text);
  if (isAscii || (saysUtf8 && Buffer.from(text, 'utf8').equals(decoded))) return { text };
  return { text: decoded.toString('base64'), encoding: 'base64' };
}
