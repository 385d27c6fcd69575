import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import validator from 'har-validator';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { runExport } from '../../../../../test/unit/cache/command-output.ts';
import { cacheIn, skipWithoutImporter } from '../../../../../test/unit/cache/exported-site.ts';

const skip = skipWithoutImporter('har');

test('round-trips a site through a HAR, byte for byte', {
  skip,
}, async (t) => {
  const { importAgain } = await cacheIn(t, 'har');
  const { before, after } = await importAgain('har');
  assert.deepEqual({ ...after, site: 'one' }, before);
  assert.ok(before.resources.some(({ waitMs }) => waitMs === 35.25));
  const bounced = before.resources.find(({ bounces }) => bounces);
  assertEach(bounced?.bounces, ({ cookie, waitMs }) => [cookie, waitMs], [
    ['visitor', 35.25],
    ['session', undefined],
  ]);
  assert.equal(before.requests?.recorded, (before.requests?.answered ?? 0) + 1);
});

test('exports a site as HAR 1.2', async (t) => {
  const { folder, sites } = await cacheIn(t);
  const to = path.join(folder, 'one.har');
  const { status, errors } = await runExport(sites, 'one', '--to', 'har', '--out', to);
  assert.equal(status, 0, errors);
  await validator.har(JSON.parse(await readFile(to, 'utf8')));
});
