import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { IMPORT_FORMATS } from '../../../cache/importers/index.ts';
import { readManifest, writeSite } from '../../../cache/manifest.ts';
import type { RecordedExchange } from '../../../cache/recording.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runExport, runImport } from './command-output.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from './example-recording.ts';

/** Responses of every sort that a site can have. */
const EXCHANGES: RecordedExchange[] = [
  exampleExchange('https://www.a.test/fast.js', {
    headers: [
      ['content-type', 'text/javascript'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['content-encoding', 'gzip'],
    ],
    // Not the level at which a body would be compressed again.
    body: gzipSync('let a;'.repeat(500), { level: 1 }),
    waitMs: 55.25,
    connectMs: 20,
  }),
  exampleExchange('https://cdn.b.test/s.css?a=b/c&d', {
    headers: [
      ['content-type', 'text/css'],
      ['content-encoding', 'br'],
    ],
    body: brotliCompressSync('a{}'),
    serverAddress: '192.0.2.1',
  }),
  exampleExchange('https://cdn.b.test/', {
    headers: [['content-type', 'text/html; charset=gbk']],
    body: Buffer.from([0xb2, 0xe2, 0xca, 0xd4]),
  }),
  exampleExchange('https://cdn.b.test/dir', {
    body: 'a file where a folder is',
    headers: [['content-type', 'text/plain']],
  }),
  exampleExchange('https://cdn.b.test/dir/x%20y', {
    body: '測',
    headers: [['content-type', 'text/plain; charset=utf-8']],
  }),
  exampleExchange('https://cdn.b.test/a//b/%2E%2e/%00?x=\\', { body: 'odd path' }),
  exampleExchange(`https://cdn.b.test/${'long'.repeat(100)}`, { body: 'long name' }),
  exampleExchange('https://cdn.b.test/bytes', {
    body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    headers: [['content-type', 'font/woff2']],
  }),
  exampleExchange('https://cdn.b.test/moved', {
    status: 302,
    headers: [['location', 'https://cdn.b.test/dir']],
  }),
  exampleExchange('https://cdn.b.test/none', { status: 204 }),
  exampleExchange('https://cdn.b.test/gone', {
    status: 404,
    type: 'image',
    body: 'no such image',
    headers: [['content-type', 'text/html']],
  }),
  exampleExchange('https://cdn.b.test/count', {
    method: 'POST',
    body: 'counted',
    type: 'xhr',
    headers: [['content-type', 'application/json']],
  }),
];

/** Redirects away from the document and back: to have cookies set, and to sign on. */
const BOUNCES: RecordedExchange[] = [
  exampleExchange('https://www.a.test/', {
    status: 302,
    headers: [
      ['location', '/with-cookie'],
      ['set-cookie', 'visitor=1'],
      ['set-cookie', 'zone=1'],
    ],
    waitMs: 55.25,
  }),
  exampleExchange('https://www.a.test/with-cookie', {
    status: 307,
    headers: [['location', '/']],
  }),
  exampleExchange('https://www.a.test/', {
    status: 303,
    headers: [['location', 'https://sso.b.test/?to=a']],
    requestHeaders: [['cookie', 'visitor=1']],
  }),
  exampleExchange('https://sso.b.test/?to=a', {
    status: 302,
    headers: [['location', 'https://www.a.test/signed-on']],
  }),
  exampleExchange('https://www.a.test/signed-on', {
    status: 302,
    headers: [
      ['location', '/'],
      ['set-cookie', 'session=2; Path=/'],
    ],
  }),
];

/** Why a test that imports what was exported is skipped; false: it is not. */
export function skipWithoutImporter(format: string): string | false {
  return IMPORT_FORMATS.some((each) => each.format === format) ? false : 'nothing imports it';
}

/** A cache with a site `one` that has everything that a site can have. */
export async function cacheIn(t: TestContext, importedFrom?: string) {
  const folder = temporaryFolder(t);
  const sites = path.join(folder, 'sites');
  const folderOf = (site: string) => path.join(sites, site);
  await mkdir(sites);
  const unanswered = exampleExchange('https://cdn.b.test/unanswered', { status: 0 });
  const recording = exampleRecording([], {
    recordedAt: '2026-11-21T10:00:00.000Z',
    exchanges: [...BOUNCES, EXAMPLE_DOCUMENT, ...EXCHANGES, unanswered],
  });
  const { manifest, bodies } = siteOfRecording(recording, { file: 'x' });
  await writeSite(folderOf('one'), { ...manifest, importedFrom, site: 'one' }, bodies);
  const importAgain = async (format: string) => {
    const to = path.join(folder, `out.${format}`);
    const exported = await runExport(sites, 'one', '--to', format, '--out', to);
    assert.equal(exported.status, 0, exported.errors);
    const [, args = ''] = /^Import it: npm run import -- (.*)$/m.exec(exported.out) ?? [];
    const imported = await runImport(folderOf, ...args.split(' '), '--name', 'two');
    assert.equal(imported.status, 0, imported.errors);
    return {
      before: await readManifest(folderOf('one')),
      after: await readManifest(folderOf('two')),
      to,
      out: exported.out,
    };
  };
  return { folder, sites, folderOf, importAgain };
}
