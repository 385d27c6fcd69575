import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Resource } from '../../manifest.ts';
import { answersInOrder } from '../../resource-answers.ts';
import { type ExportedSite, importOf, type WriteSite } from '../exporter.ts';
import { httpRequest, httpResponse } from '../http-message.ts';

/** Writes a request and a response for each answer, each record as a gzip member. */
export const writeWarc: WriteSite = async (site, target) => {
  await pipeline(Readable.from(records(site)), createWriteStream(target, { flags: 'wx' }));
  return { notes: [], next: (file) => importOf(file, '--document', site.manifest.url) };
};

async function* records({ manifest, bodyOf }: ExportedSite): AsyncGenerator<Buffer> {
  const date = manifest.recordedAt ?? new Date().toISOString();
  const info = `software: quic-vs-https\r\nformat: WARC File Format 1.1\r\ndescription: ${manifest.source.replace(/[^\x20-\x7e]/g, '?')}\r\n`;
  const about: [string, string][] = [
    ['WARC-Type', 'warcinfo'],
    ['Content-Type', 'application/warc-fields'],
  ];
  yield record('info', about, date, Buffer.from(info, 'latin1'));
  for (const { resource, cookies } of answersInOrder(manifest.resources)) {
    const named = (type: string) => `${type} ${resource.method} ${resource.url} ${cookies ?? ''}`;
    const part = (type: string, block: Buffer, more: [string, string][] = []) => {
      const headers: [string, string][] = [
        ['WARC-Type', type],
        ['WARC-Target-URI', resource.url],
        ...more,
        ['Content-Type', `application/http; msgtype=${type}`],
      ];
      return record(named(type), headers, date, block);
    };
    yield part('response', withLength(resource, await bodyOf(resource), manifest.recordedAt), [
      ['WARC-Concurrent-To', idOf(named('request'))],
      ...addressOf(resource, manifest.addresses),
    ]);
    yield part('request', httpRequest(resource, cookies));
  }
}

/** Adds the length of the body, and the time of the recording. */
function withLength(resource: Resource, body: Buffer, recordedAt: string | undefined): Buffer {
  const date: [string, string][] =
    recordedAt === undefined ? [] : [['date', new Date(recordedAt).toUTCString()]];
  const length: [string, string][] =
    resource.status === 204 || resource.status === 304
      ? []
      : [['content-length', String(body.length)]];
  return httpResponse(resource, body, [...date, ...length]);
}

function record(
  name: string,
  headers: [name: string, value: string][],
  date: string,
  block: Buffer,
): Buffer {
  const fields = [
    ...headers,
    ['WARC-Record-ID', idOf(name)],
    ['WARC-Date', date],
    ['Content-Length', String(block.length)],
  ];
  const lines = ['WARC/1.1', ...fields.map(([field, value]) => `${field}: ${value}`), '', ''];
  return gzipSync(
    Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), block, Buffer.from('\r\n\r\n')]),
  );
}

/** Deterministic, so that the same site gives the same file. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  // RFC 9562, version 8: custom bits.
  return `<urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}>`;
}

function addressOf(
  { url }: Resource,
  addresses: Record<string, string> | undefined,
): [string, string][] {
  const address = addresses?.[new URL(url).host];
  return address === undefined ? [] : [['WARC-IP-Address', address]];
}
