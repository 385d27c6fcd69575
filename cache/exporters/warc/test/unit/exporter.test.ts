import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { WARCParser } from 'warcio';
import { runExport } from '../../../../../test/unit/cache/command-output.ts';
import { cacheIn, skipWithoutImporter } from '../../../../../test/unit/cache/exported-site.ts';
import { readManifest } from '../../../../manifest.ts';

const skip = skipWithoutImporter('warc');

test('round-trips a site through a WARC with the same responses, types and addresses', {
  skip,
}, async (t) => {
  const { importAgain } = await cacheIn(t);
  const { before, after } = await importAgain('warc');
  assert.equal(after.url, before.url);
  assert.equal(after.recordedAt, before.recordedAt);
  assert.deepEqual(after.addresses, before.addresses);
  // A WARC has no server times.
  const withoutWaits = (name: string, value: unknown) => (name === 'waitMs' ? undefined : value);
  assert.deepEqual(after.resources, JSON.parse(JSON.stringify(before.resources, withoutWaits)));
});

test('exports a WARC that warcio reads with the same statuses and bodies', async (t) => {
  const { folder, sites, folderOf } = await cacheIn(t);
  const to = path.join(folder, 'out.warc.gz');
  const { status, out } = await runExport(sites, 'one', '--to', 'warc', '--out', to);
  assert.equal(status, 0);
  const { resources, url: document } = await readManifest(folderOf('one'));
  assert.ok(out.endsWith(`npm run import -- ${to} --document ${document}`), out);
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
