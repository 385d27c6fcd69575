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
  typed('https://cdn.b.test/', 'text/html; charset=gbk', Buffer.from([0xb2, 0xe2, 0xca, 0xd4])),
  typed('https://cdn.b.test/dir', 'text/plain', 'a file where a folder is'),
  typed('https://cdn.b.test/dir/x%20y', 'text/plain; charset=utf-8', '測'),
  exampleExchange('https://cdn.b.test/a//b/%2E%2e/%00?x=\\', { body: 'odd path' }),
  exampleExchange(`https://cdn.b.test/${'long'.repeat(100)}`, { body: 'long name' }),
  typed('https://cdn.b.test/bytes', 'font/woff2', Buffer.from([...Array(256).keys()])),
  redirect('https://cdn.b.test/moved', 'https://cdn.b.test/dir'),
  exampleExchange('https://cdn.b.test/none', { status: 204 }),
  typed('https://cdn.b.test/gone', 'text/html', 'no such image', { status: 404, type: 'image' }),
  typed('https://cdn.b.test/count', 'application/json', 'counted', { method: 'POST', type: 'xhr' }),
];

/** Redirects away from the document and back: to set cookies, and to sign on. */
const BOUNCES: RecordedExchange[] = [
  redirect('https://www.a.test/', '/with-cookie', ['visitor=1', 'zone=1'], { waitMs: 55.25 }),
  redirect('https://www.a.test/with-cookie', '/', [], { status: 307 }),
  redirect('https://www.a.test/', 'https://sso.b.test/?to=a', [], {
    status: 303,
    requestHeaders: [['cookie', 'visitor=1']],
  }),
  redirect('https://sso.b.test/?to=a', 'https://www.a.test/signed-on'),
  redirect('https://www.a.test/signed-on', '/', ['session=2; Path=/']),
];

type Changes = Partial<Omit<RecordedExchange, 'body' | 'headers'>>;

function typed(url: string, type: string, body: string | Uint8Array, changes: Changes = {}) {
  return exampleExchange(url, { headers: [['content-type', type]], body, ...changes });
}

function redirect(url: string, to: string, cookies: string[] = [], changes: Changes = {}) {
  const setCookies = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
  return exampleExchange(url, {
    status: 302,
    headers: [['location', to], ...setCookies],
    ...changes,
  });
}

/** Why a test that imports the export is skipped; false: it is not. */
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
