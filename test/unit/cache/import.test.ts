import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { importCommand } from '../../../cache/import.ts';
import { readManifest } from '../../../cache/manifest.ts';
import { folderOfFiles, savedResponse } from './importers/folder-of-files.ts';

async function commandIn(t: TestContext) {
  const folder = await folderOfFiles(t, {
    'www.a.test/index.html': savedResponse(['Content-Type: text/html'], '<p>page'),
    'www.a.test/a.js': savedResponse(['X-Odd: \xe9'], 'let a'),
  });
  const sites = path.join(folder, 'sites');
  await mkdir(sites);
  const saved = path.join(folder, 'www.a.test');
  const folderOf = (site: string) => path.join(sites, site);
  const run = async (...args: string[]) => {
    const out: string[] = [];
    const errors: string[] = [];
    const status = await importCommand(args, {
      folderOf,
      print: (line) => out.push(line),
      complain: (line) => errors.push(line),
    });
    return { status, out: out.join('\n'), errors: errors.join('\n') };
  };
  const putSite = async (site: string, index: string) => {
    await mkdir(folderOf(site));
    await writeFile(path.join(folderOf(site), 'index.json'), index);
  };
  return { run, saved, folderOf, putSite };
}

test('an import prints what it made, what it could not keep, and how to go on', async (t) => {
  const { run, saved, folderOf } = await commandIn(t);
  const { status, out, errors } = await run(saved);
  assert.equal(status, 0);
  assert.equal(errors, '');
  assert.match(out, /^Imported site www\.a\.test: https:\/\/www\.a\.test\/$/m);
  assert.match(out, /3 resources, 1 host, 12 bytes/);
  assert.match(out, /note: www\.a\.test\/a\.js: header x-odd dropped/);
  assert.match(out, /npm run benchmark -- --sites www\.a\.test$/);
  assert.equal((await readManifest(folderOf('www.a.test'))).site, 'www.a.test');
});

test('an imported site is replaced by importing it again', async (t) => {
  const { run, saved } = await commandIn(t);
  await run(saved, '--name', 'mine');
  const { status, out } = await run(saved, '--name', 'mine');
  assert.equal(status, 0);
  assert.match(out, /^Replaced site mine/);
});

test('a site of another kind is never overwritten: the default name gives way, a given name is refused', async (t) => {
  const { run, saved, folderOf, putSite } = await commandIn(t);
  await putSite('www.a.test', '{"kind":"generated"}');
  await putSite('damaged', '{');
  const { status, out } = await run(saved);
  assert.equal(status, 0);
  assert.match(out, /^Imported site www\.a\.test-imported:/);
  for (const name of ['www.a.test', 'damaged']) {
    const refused = await run(saved, '--name', name);
    assert.equal(refused.status, 2);
    assert.match(refused.errors, /it was not imported .* another --name/);
  }
  const kept = await readFile(path.join(folderOf('www.a.test'), 'index.json'), 'utf8');
  assert.equal(kept, '{"kind":"generated"}');
});

test('wrong usage and folders that are no page end with status 2 and say why', async (t) => {
  const { run, saved } = await commandIn(t);
  for (const [args, message] of [
    [[], /PATH is missing.\nUsage/],
    [[saved, saved], /one PATH at a time/],
    [[saved, '--nam', 'x'], /--nam.*\nUsage/s],
    [[`${saved}-not`], /does not exist/],
    [[saved, '--name', '../out'], /"\.\.\/out" cannot be the name of a site/],
    [[saved, '--document', 'x.html'], /not among the saved files/],
  ] as const) {
    const { status, out, errors } = await run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(errors, message);
  }
});

test('help is no error', async (t) => {
  const { run } = await commandIn(t);
  const { status, out } = await run('--help');
  assert.equal(status, 0);
  assert.match(out, /^Usage: npm run import/);
});
