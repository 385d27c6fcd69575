import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openLines } from '../../../../ground/records/lines-file.ts';
import { noteFlushedFolders } from '../../../flushed-folders.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('appends lines one after another, each in the file on return, also after reopening', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'lines');
  for (const number of [1, 2]) {
    const lines = await openLines(file);
    await lines.append({ number });
    assert.ok((await readFile(file, 'utf8')).endsWith(`{"number":${number}}\n`));
    await lines.close();
  }
  assert.equal(await readFile(file, 'utf8'), '{"number":1}\n{"number":2}\n');
});

test('writes several records as a line each, and does not append to a file that must be new', async (t) => {
  const file = path.join(temporaryFolder(t), 'lines');
  const lines = await openLines(file, { isNew: true });
  await lines.append({ number: 1 }, { number: 2 });
  await lines.append();
  await lines.close();
  assert.equal(await readFile(file, 'utf8'), '{"number":1}\n{"number":2}\n');
  await assert.rejects(openLines(file, { isNew: true }), /EEXIST/);
});

test("syncs a new file's folder entry to disk before writing a line", async (t) => {
  const folder = temporaryFolder(t);
  const flushed = await noteFlushedFolders(t);
  const lines = await openLines(path.join(folder, 'lines'));
  assert.deepEqual(flushed, { [folder]: ['lines'] });
  await lines.close();
});
