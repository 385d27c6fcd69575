import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { writeFileAtomically } from '../../../../ground/records/atomic-file.ts';
import { noteFlushedFolders } from '../../../flushed-folders.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('writes text and bytes whole over an existing file, and leaves nothing next to them', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'summary.json');
  const text = 'ä'.repeat(1 << 20);
  for (const content of [text, Buffer.from([0, 255, 10]), 'short', '']) {
    await writeFileAtomically(file, content);
    assert.ok((await readFile(file)).equals(Buffer.from(content)));
    assert.deepEqual(await readdir(folder), ['summary.json']);
  }
});

test('keeps the old file until the new one is whole at its temporary path', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'run.json');
  await writeFile(file, 'old');
  await mkdir(`${file}.half`);
  // Cannot be written there.
  await assert.rejects(writeFileAtomically(file, 'new', { unfinished: `${file}.half` }), {
    code: 'EEXIST',
  });
  assert.equal(await readFile(file, 'utf8'), 'old');
  await writeFileAtomically(file, 'new', { unfinished: `${file}.other` });
  assert.equal(await readFile(file, 'utf8'), 'new');
});

test('leaves no file under either name if the replacement fails', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'report.html');
  await mkdir(path.join(file, 'in', 'the', 'way'), { recursive: true });
  for (const writing of [{}, { unfinished: `${file}.unfinished` }]) {
    await assert.rejects(writeFileAtomically(file, 'page', writing), { code: 'EISDIR' });
    assert.deepEqual(await readdir(folder), ['report.html']);
  }
  assert.deepEqual(await readdir(file), ['in']);
});

test('reports the error of the write, not of the cleanup', async (t) => {
  const folder = temporaryFolder(t);
  const noFolder = path.join(folder, 'file');
  await writeFile(noFolder, '');
  for (const [place, code] of [
    [path.join(folder, 'missing'), 'ENOENT'],
    [noFolder, 'ENOTDIR'],
  ] as const) {
    await assert.rejects(writeFileAtomically(path.join(place, 'run.json'), '{}'), {
      code,
      syscall: 'open',
    });
  }
});

test('has synced the replacement to disk when it returns', async (t) => {
  const folder = temporaryFolder(t);
  const flushed = await noteFlushedFolders(t);
  await writeFileAtomically(path.join(folder, 'run.json'), '{}');
  assert.deepEqual(flushed, { [folder]: ['run.json'] });
});
