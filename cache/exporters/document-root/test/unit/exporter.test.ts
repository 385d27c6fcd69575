import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runExport } from '../../../../../test/unit/cache/command-output.ts';
import { cacheIn } from '../../../../../test/unit/cache/exported-site.ts';

test('exports decoded bodies by host, and reports what a file server cannot send', async (t) => {
  const { folder, sites } = await cacheIn(t);
  const out = path.join(folder, 'root');
  const exported = await runExport(sites, 'one', '--to', 'files', '--out', out);
  assert.equal(exported.status, 0, exported.errors);
  const textOf = (file: string) => readFileSync(path.join(out, file), 'utf8');
  assert.equal(textOf('www.a.test/fast.js'), 'let a;'.repeat(500));
  assert.equal(textOf('cdn.b.test/s.css'), 'a{}');
  assert.equal(textOf('cdn.b.test/dir'), 'a file where a folder is');
  assert.ok(existsSync(path.join(out, 'www.a.test/index.html')));
  for (const line of [
    'POST https://cdn.b.test/count: omitted, because a file server answers only GET',
    'GET https://cdn.b.test/gone: omitted, because a file server sends status 200, not 404',
    'GET https://cdn.b.test/dir/x%20y: omitted, because another resource has its file',
  ]) {
    assert.ok(exported.out.includes(line), `${line}\n${exported.out}`);
  }
  assert.match(exported.out, /omitted, because its path is not a file name/);
  assert.match(exported.out, /The document root of www\.a\.test: .*root\/www\.a\.test/);
});
