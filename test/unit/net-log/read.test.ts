import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readNetLog } from '../../net-log/read.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';

const RECORDED = path.join(import.meta.dirname, 'recorded');

test('reads the connections of a file', async () => {
  const { opened, whole } = await readNetLog(path.join(RECORDED, 'h2-kept.netlog'), 0);
  assertEach(opened, ({ host }) => host, ['www.net-log.test', 'other.elsewhere.test']);
  assert.equal(whole, true);
});

test('rejects a missing file with its name', async () => {
  const file = path.join(RECORDED, 'none.json');
  await assert.rejects(readNetLog(file, 0), (error: Error) => error.message.includes(file));
});

test('rejects a file that is no NetLog with its name', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'empty.json');
  await writeFile(file, '');
  await assert.rejects(readNetLog(file, 0), /empty\.json cannot be read: expected a NetLog/);
});
