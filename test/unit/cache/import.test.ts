import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readManifest } from '../../../cache/manifest.ts';
import { runImport } from './command-output.ts';
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
  const run = (...args: string[]) => runImport(folderOf, ...args);
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
    [[], /PATH is missing\. See npm run import -- --help/],
    [[saved, saved], /One PATH at a time/],
    [[saved, '--nam', 'x'], /--nam\. Did you mean --name\?/],
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

test('every format is found out by itself', async (t) => {
  const { run, folderOf } = await commandIn(t);
  const recorded = path.join(import.meta.dirname, 'importers/har/recorded');
  for (const [archive, format, kind] of [
    ['devtools.har', 'har', 'imported'],
    ['playwright.har.zip', 'har', 'imported'],
    ['devtools-without-bodies.har', 'har', 'generated'],
  ] as const) {
    const { status, errors } = await run(path.join(recorded, archive), '--name', 'found');
    assert.equal(status, 0, errors);
    const manifest = await readManifest(folderOf('found'));
    assert.deepEqual([manifest.importedFrom, manifest.kind], [format, kind]);
  }
});

test('an archive in no known format is refused with the formats that are', async (t) => {
  const { run, saved } = await commandIn(t);
  const { status, errors } = await run(path.join(saved, 'a.js'));
  assert.equal(status, 2);
  assert.match(errors, /a\.js is in no format that can be imported\. Supported:\n- a HAR/);
});

test('an import that fails leaves the site as it was', async (t) => {
  const { run, saved, folderOf } = await commandIn(t);
  await run(saved, '--name', 'mine');
  const before = await readFile(path.join(folderOf('mine'), 'index.json'), 'utf8');
  const broken = path.join(saved, 'broken.har');
  await writeFile(
    broken,
    '{"log":{"entries":[{"request":{"method":"GET","url":"https://a.test/"}}]}}',
  );
  const { status, errors } = await run(broken, '--name', 'mine');
  assert.equal(status, 2);
  assert.match(errors, /broken\.har/);
  assert.equal(await readFile(path.join(folderOf('mine'), 'index.json'), 'utf8'), before);
  assert.deepEqual(await readdir(path.dirname(folderOf('mine'))), ['mine']);
});

test('what a terminal would take for commands is not printed, and long lists of notes are cut', async (t) => {
  const { run, saved } = await commandIn(t);
  const entry = (url: string) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content: { text: '' } },
  });
  const entries = [
    {
      ...entry('https://a.test/'),
      response: {
        status: 200,
        headers: [{ name: 'content-type', value: 'text/html' }],
        content: { text: '<p>' },
      },
    },
    ...Array(80).fill(entry('https:\u001b[2J,x')),
  ];
  const file = path.join(saved, 'odd.har');
  await writeFile(file, JSON.stringify({ log: { entries, _source: 'a \u001b[31m source' } }));
  const { status, out } = await run(file);
  assert.equal(status, 0);
  assert.ok(!out.includes('\u001b'));
  assert.match(out, /a \?\[31m source/);
  assert.equal(out.split('\n').filter((line) => line.includes('note: ')).length, 50);
  assert.match(out, /and 30 more notes/);
});
