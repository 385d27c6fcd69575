import assert from 'node:assert/strict';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  harFileOf,
  readHarFile,
  UnreadableHarError,
} from '../../../../report/sections/har-file.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { madeUpHar } from './made-up-har.ts';

const folder = temporaryFolder({ after });

before(() => mkdir(path.join(folder, 'har')));

const DOCUMENT = { url: 'https://a.test/', startMs: 10, blocked: 1, connect: 60, wait: 30 };

test("reads a HAR as requests in the page's order", async () => {
  const requests = [
    { ...DOCUMENT, queued: 4 },
    { url: 'https://a.test/late.js', startMs: 90, wait: 5 },
    { url: 'https://a.test/early.js', startMs: 95, queued: 30, wait: 5, send: 1 },
  ];
  await writeFile(path.join(folder, 'har', 'a.har'), JSON.stringify(madeUpHar(requests, 200)));
  const read = await readHarFile(folder, 'har/a.har');
  assert.equal(read.onLoadMs, 200);
  assert.deepEqual(
    read.requests.map(({ url }) => url),
    ['https://a.test/', 'https://a.test/early.js', 'https://a.test/late.js'],
  );
  assert.deepEqual(read.requests[0], {
    url: 'https://a.test/',
    protocol: 'h3',
    status: 200,
    wireBytes: 1_000,
    fromCache: false,
    startMs: 10,
    queuedMs: 4,
    blockedMs: 1,
    dnsMs: 0,
    connectMs: 60,
    waitMs: 30,
    serverMs: null,
    receiveMs: 0,
  });
  assert.equal(read.requests[1]?.waitMs, 6);
});

test('has no time of a load event that did not happen', () => {
  assert.equal(harFileOf(madeUpHar([DOCUMENT], -1)).onLoadMs, null);
});

test('rejects a HAR that is missing, no JSON, too large or elsewhere, with the reason', async () => {
  await writeFile(path.join(folder, 'har', 'cut.har'), '{"log": {"pages"');
  await writeFile(path.join(folder, 'har', 'large.har'), '');
  // A sparse file.
  await truncate(path.join(folder, 'har', 'large.har'), 129 * 1024 * 1024);
  await writeFile(path.join(folder, 'run.json'), JSON.stringify(madeUpHar([DOCUMENT])));
  const reasons: [string, RegExp][] = [
    ['har/gone.har', /^is missing$/],
    ['har/cut.har', /^is not valid JSON$/],
    ['har/large.har', /134\.2 MB/],
    ['har/../run.json', /folder of HARs/],
    ['run.json', /folder of HARs/],
    ['har', /folder|cannot be read/],
  ];
  for (const [har, message] of reasons) {
    await assert.rejects(readHarFile(folder, har), { name: 'UnreadableHarError', message }, har);
  }
});

test('rejects JSON that is no HAR of a load, and never crashes', () => {
  const whole = () => madeUpHar([DOCUMENT]);
  const damaged: unknown[] = [
    null,
    [],
    'har',
    {},
    { log: null },
    { log: { pages: [], entries: [] } },
    { log: { pages: [{}], entries: [] } },
    { log: { ...whole().log, entries: {} } },
    { log: { ...whole().log, entries: [null] } },
    { log: { ...whole().log, entries: [{ ...whole().log.entries[0], timings: undefined }] } },
    { log: { ...whole().log, entries: [{ ...whole().log.entries[0], request: { url: 5 } }] } },
    { log: { ...whole().log, entries: [{ ...whole().log.entries[0], startedDateTime: 'x' }] } },
  ];
  for (const parsed of damaged) {
    assert.throws(() => harFileOf(parsed), UnreadableHarError, JSON.stringify(parsed));
  }
  assert.equal(harFileOf(whole()).requests.length, 1);
});

test('reads a compressed HAR like any other', async () => {
  const text = JSON.stringify(madeUpHar([DOCUMENT], 200));
  await writeFile(path.join(folder, 'har', 'plain.har'), text);
  await writeFile(path.join(folder, 'har', 'packed.har.gz'), gzipSync(text));
  assert.deepEqual(
    await readHarFile(folder, 'har/packed.har.gz'),
    await readHarFile(folder, 'har/plain.har'),
  );
});

test('rejects a compressed HAR that is truncated, or grows too large, with the reason', async () => {
  const packed = gzipSync(JSON.stringify(madeUpHar([DOCUMENT], 200)));
  await writeFile(path.join(folder, 'har', 'cut.har.gz'), packed.subarray(0, -9));
  await assert.rejects(readHarFile(folder, 'har/cut.har.gz'), {
    name: 'UnreadableHarError',
    message: 'cannot be unpacked: it is not a complete gzip file',
  });
  await writeFile(path.join(folder, 'har', 'bomb.har.gz'), gzipSync(Buffer.alloc(130 << 20)));
  await assert.rejects(readHarFile(folder, 'har/bomb.har.gz'), /134\.2 MB/);
});
