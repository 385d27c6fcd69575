import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  readPlainFile,
  readPlainFileSync,
  readPlainText,
  UnreadableFileError,
} from '../../../../ground/system/plain-file.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('rejects what is no plain file, or too large, without reading it', async (t) => {
  const folder = temporaryFolder(t);
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const large = path.join(folder, 'large');
  writeFileSync(large, '');
  // A sparse file.
  truncateSync(large, 100_000_000_000);
  for (const file of [pipe, large, folder, '/dev/zero']) {
    await assert.rejects(readPlainFile(file), UnreadableFileError, file);
    assert.throws(() => readPlainFileSync(file), UnreadableFileError, file);
  }
});

test("reads a file at the limit, and keeps the system's error for a missing one", async (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  writeFileSync(file, 'äbc');
  assert.equal(await readPlainText(file, { maxBytes: 4 }), 'äbc');
  await assert.rejects(readPlainText(file, { maxBytes: 3 }), /it has 4 bytes, and at most 3 bytes/);
  await assert.rejects(readPlainFile(`${file}-none`), { code: 'ENOENT' });
  assert.throws(() => readPlainFileSync(`${file}-none`), { code: 'ENOENT' });
});

test('follows a link unless the file is in a folder from elsewhere', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'file'), 'a');
  symlinkSync('file', path.join(folder, 'link'));
  assert.equal(await readPlainText(path.join(folder, 'link')), 'a');
  await assert.rejects(readPlainFile(path.join(folder, 'link'), { noLink: true }), {
    code: 'ELOOP',
  });
});
