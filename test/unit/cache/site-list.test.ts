import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSiteList } from '../../../cache/catalogue.ts';
import { folderOfFiles } from './importers/folder-of-files.ts';

async function listFile(t: TestContext, content: string) {
  return path.join(await folderOfFiles(t, { 'list.txt': content }), 'list.txt');
}

test('reads names in the order of the file, without comments, blanks and empty lines', async (t) => {
  const file = await listFile(
    t,
    '\ufeff# mine\r\nb.test  # the second\n\n  a.test\t\n#c.test\nd-1_x',
  );
  assert.deepEqual(readSiteList(file), ['b.test', 'a.test', 'd-1_x']);
});

test('rejects what is no list with the file and the line', async (t) => {
  for (const [content, message] of [
    ['a.test\n../b', /list\.txt, line 2: "\.\.\/b" is not the name of a site/],
    ['a.test b.test', /line 1: "a\.test b\.test" is not the name/],
    ['a.test\n\na.test', /line 3: a\.test appears twice/],
    ['# nothing\n', /list\.txt names no site/],
  ] as const) {
    const file = await listFile(t, content);
    assert.throws(() => readSiteList(file), { name: 'UsageError', message });
  }
  assert.throws(
    () => readSiteList('/no/such/list'),
    /^UsageError: \/no\/such\/list cannot be read: no such file or directory\. Name a file/,
  );
});
