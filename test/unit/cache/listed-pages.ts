import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runImport } from './command-output.ts';

/**
 * Asserts that `--list` shows these pages and writes nothing, and that `--document` accepts them.
 */
export async function assertPagesListed(
  t: TestContext,
  archive: string,
  ...pages: string[]
): Promise<void> {
  const sites = path.join(temporaryFolder(t), 'sites');
  await mkdir(sites);
  const run = (...words: string[]) =>
    runImport((site) => path.join(sites, site), archive, ...words);
  const listed = await run('--list');
  assert.equal(listed.status, 0, listed.errors);
  assert.deepEqual(listed.lines, pages);
  assert.deepEqual(await readdir(sites), []);
  for (const page of pages) {
    const [document = ''] = page.split('  ');
    const { status, errors } = await run('--document', document, '--name', 'listed');
    assert.equal(status, 0, errors);
  }
}
