import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import validator from 'har-validator';
import { WARCParser } from 'warcio';
import { readManifest, type SiteManifest, writeSite } from '../../../cache/manifest.ts';
import type { RecordedExchange } from '../../../cache/recording.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { exportsFolderBeside, runExport, runImport } from './command-output.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from './example-recording.ts';
import { folderOfFiles } from './importers/folder-of-files.ts';

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

async function cacheIn(t: TestContext) {
  const folder = await folderOfFiles(t, {});
  const sites = path.join(folder, 'sites');
  const folderOf = (site: string) => path.join(sites, site);
  await mkdir(sites);
  const unanswered = exampleExchange('https://cdn.b.test/unanswered', { status: 0 });
  const recording = exampleRecording([], {
    recordedAt: '2026-11-21T10:00:00.000Z',
    exchanges: [...BOUNCES, EXAMPLE_DOCUMENT, ...EXCHANGES, unanswered],
  });
  const { manifest, bodies } = siteOfRecording(recording, { file: 'x' });
  await writeSite(folderOf('one'), { ...manifest, importedFrom: 'har', site: 'one' }, bodies);
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

const byUrl = ({ resources }: SiteManifest) =>
  new Map(resources.map(({ method, url, ...rest }) => [`${method} ${url}`, rest]));

test('a site exported as a HAR and imported again is the same site, byte for byte', async (t) => {
  const { importAgain } = await cacheIn(t);
  const { before, after, to } = await importAgain('har');
  assert.deepEqual({ ...after, site: 'one' }, before);
  assert.ok(before.resources.some(({ waitMs }) => waitMs === 35.25));
  const bounced = before.resources.find(({ bounces }) => bounces);
  assert.deepEqual(
    bounced?.bounces?.map(({ cookie, waitMs }) => [cookie, waitMs]),
    [
      ['visitor', 35.25],
      ['session', undefined],
    ],
  );
  assert.equal(before.requests?.recorded, (before.requests?.answered ?? 0) + 1);
  await validator.har(JSON.parse(await readFile(to, 'utf8')));
});

test('a site exported as a wget folder keeps every response but POSTs, and says so', async (t) => {
  const { importAgain, folder } = await cacheIn(t);
  const { before, after, out } = await importAgain('wget');
  assert.match(out, /note: POST https:\/\/cdn\.b\.test\/count: left out, wget saves no POST/);
  assert.match(out, /note: https:\/\/www\.a\.test\/: bounces left out, a file holds one answer/);
  assert.equal(after.url, before.url);
  assert.equal(after.recordedAt, before.recordedAt);
  const found = byUrl(after);
  for (const [key, { status, headers, sha256, decodedBytes }] of byUrl(before)) {
    if (key.startsWith('POST')) continue;
    const again = found.get(key);
    assert.ok(again, key);
    assert.deepEqual(
      [again.status, again.headers, again.sha256, again.decodedBytes],
      [status, headers, sha256, decodedBytes],
      key,
    );
  }
  assert.ok((await readdir(path.join(folder, 'out.wget/cdn.b.test'))).includes('s.css?a=b%2Fc&d'));
});

test('a site exported as WARC and imported again has the same responses, types and addresses', async (t) => {
  const { importAgain } = await cacheIn(t);
  const { before, after } = await importAgain('warc');
  assert.equal(after.url, before.url);
  assert.equal(after.recordedAt, before.recordedAt);
  assert.deepEqual(after.addresses, before.addresses);
  // Nothing in a WARC tells how long a server took.
  const withoutWaits = (name: string, value: unknown) => (name === 'waitMs' ? undefined : value);
  assert.deepEqual(after.resources, JSON.parse(JSON.stringify(before.resources, withoutWaits)));
});

test('a site exported as WARC is read by warcio with the same statuses and bodies', async (t) => {
  const { folder, sites, folderOf } = await cacheIn(t);
  const to = path.join(folder, 'out.warc.gz');
  assert.equal((await runExport(sites, 'one', '--to', 'warc', '--out', to)).status, 0);
  const { resources } = await readManifest(folderOf('one'));
  const types: string[] = [];
  const responses = new Map<string, { status: number; bytes: Uint8Array }>();
  const requests: string[] = [];
  for await (const record of new WARCParser(createReadStream(to))) {
    types.push(record.warcType ?? '');
    const bytes = await record.readFully(false);
    if (record.warcType === 'request')
      requests.push(`${record.httpHeaders?.method} ${record.warcTargetURI}`);
    if (record.warcType !== 'response') continue;
    const status = Number(record.httpHeaders?.statusCode);
    responses.set(record.warcTargetURI ?? '', { status, bytes });
  }
  assert.equal(types[0], 'warcinfo');
  assert.equal(requests.length, resources.length + 2);
  for (const { url, status, body } of resources.filter(({ method }) => method === 'GET')) {
    const response = responses.get(url);
    assert.equal(response?.status, status, url);
    const expected =
      body === null ? Buffer.alloc(0) : await readFile(path.join(folderOf('one'), body));
    assert.deepEqual(Buffer.from(response?.bytes ?? []), expected, url);
  }
});

test('an export that is given no place goes into the folder of exports, which is made for it', async (t) => {
  const { sites } = await cacheIn(t);
  const { status, out, errors } = await runExport(sites, 'one', '--to', 'har');
  const exportsFolder = exportsFolderBeside(sites);
  assert.deepEqual([status, errors], [0, '']);
  assert.deepEqual(await readdir(exportsFolder), ['one.har']);
  assert.match(out, new RegExp(`to ${path.join(exportsFolder, 'one.har')}$`, 'm'));
});

test('an export goes into a folder that is not there yet', async (t) => {
  const { folder, sites } = await cacheIn(t);
  const to = path.join(folder, 'a/b/one.har');
  const { status, errors } = await runExport(sites, 'one', '--to', 'har', '--out', to);
  assert.deepEqual([status, errors], [0, '']);
  assert.deepEqual(await readdir(path.dirname(to)), ['one.har']);
});

test('nothing is overwritten, and wrong usage says what to do', async (t) => {
  const { folder, sites, folderOf } = await cacheIn(t);
  const taken = path.join(folder, 'taken.har');
  await writeFile(taken, 'mine');
  await writeSite(folderOf('broken'), await readManifest(folderOf('one')), new Map());
  for (const [args, message] of [
    [[], /SITE is missing\. See npm run export -- --help/],
    [['one'], /--to is missing/],
    [['one', '--to', 'zip'], /--to zip: expected one of har, warc, wget/],
    [['one', 'two', '--to', 'har'], /One SITE at a time/],
    [['', '--to', 'har'], /SITE is missing\. See npm run export -- --help/],
    [['../one', '--to', 'har'], /^Unknown site \.\.\/one\. `npm run sites` lists/],
    [['none', '--to', 'har'], /^Unknown site none\. `npm run sites` lists what the cache has/],
    [['one', '--to', 'har', '--out', taken], /taken\.har exists, and nothing is ever overwritten/],
    [['broken', '--to', 'har', '--out', path.join(folder, 'b.har')], /is missing/],
  ] as const) {
    const { status, errors } = await runExport(sites, ...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(errors, message);
  }
  assert.equal(await readFile(taken, 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).sort(), ['sites', 'taken.har']);
});

test('what an export prints for copying runs nothing of the site or of the folder’s name, and is understood', async (t) => {
  const folder = await folderOfFiles(t, {});
  const [sites, pasted] = [path.join(folder, 'sites'), path.join(folder, 'pasted')];
  await mkdir(sites);
  await mkdir(pasted);
  const url = 'https://shop.test/?a=1;touch$IFS.PASTED;&b=`id`';
  const document = { ...EXAMPLE_DOCUMENT, url };
  const { manifest, bodies } = siteOfRecording(
    exampleRecording([], { documentUrl: url, exchanges: [document] }),
    { file: 'x' },
  );
  await writeSite(
    path.join(sites, 'one'),
    { ...manifest, importedFrom: 'har', site: 'one' },
    bodies,
  );
  for (const format of ['har', 'warc', 'wget', 'nginx', 'caddy', 'apache']) {
    const to = path.join(folder, `it's ;touch PASTED; $(id).${format}`);
    const { status, out, errors } = await runExport(sites, 'one', '--to', format, '--out', to);
    assert.equal(status, 0, errors);
    const [, line = ''] = /^(?:Import it|Measure \w+): npm run \w+ -- (.*)$/m.exec(out) ?? [];
    const read = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], { cwd: pasted });
    const words = read.toString().split('\0');
    assert.ok(words.includes(to) || words.includes(path.join(to, 'start.sh')), line);
    if (format === 'warc') assert.deepEqual(words.slice(1, 3), ['--document', manifest.url]);
    assert.deepEqual(await readdir(pasted), []);
  }
});
