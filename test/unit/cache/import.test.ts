import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { IMPORT_FORMATS } from '../../../cache/importers/index.ts';
import { readManifest } from '../../../cache/manifest.ts';
import type { Recording } from '../../../cache/recording.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runImport } from './command-output.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from './example-recording.ts';
import { assertPagesListed } from './listed-pages.ts';
import { writeRecording } from './made-up-format.ts';

const SCRIPT = 'https://www.a.test/a.js';

async function commandIn(t: TestContext) {
  const folder = temporaryFolder(t);
  const sites = path.join(folder, 'sites');
  await mkdir(sites);
  const write = (name: string, recording: Recording) =>
    writeRecording(path.join(folder, name), recording);
  const script = exampleExchange(SCRIPT, { headers: [['X-Odd', '\xe9']], body: 'let a' });
  const saved = await write('saved', exampleRecording([script]));
  const folderOf = (site: string) => path.join(sites, site);
  const run = (...args: string[]) => runImport(folderOf, ...args);
  const putSite = async (site: string, index: string) => {
    await mkdir(folderOf(site));
    await writeFile(path.join(folderOf(site), 'index.json'), index);
  };
  return { folder, run, write, saved, folderOf, putSite };
}

test('prints its result, its omissions, and the next steps', async (t) => {
  const { run, saved, folderOf } = await commandIn(t);
  const { status, out, errors } = await run(saved);
  assert.equal(status, 0);
  assert.equal(errors, '');
  assert.match(out, /^Imported site www\.a\.test: https:\/\/www\.a\.test\/$/m);
  assert.match(out, /2 resources, 1 host, 43 bytes/);
  assert.match(
    out,
    /note: entry https:\/\/www\.a\.test\/a\.js: header dropped whose value .*: x-odd/,
  );
  assert.match(out, /npm run benchmark -- --sites www\.a\.test$/);
  assert.equal((await readManifest(folderOf('www.a.test'))).site, 'www.a.test');
});

test('replaces an imported site by importing it again', async (t) => {
  const { run, saved } = await commandIn(t);
  await run(saved, '--name', 'mine');
  const { status, out } = await run(saved, '--name', 'mine');
  assert.equal(status, 0);
  assert.match(out, /^Replaced site mine/);
});

test('never overwrites a site of another kind: changes the default name, and rejects a given one', async (t) => {
  const { run, saved, folderOf, putSite } = await commandIn(t);
  await putSite('www.a.test', '{"kind":"generated"}');
  await putSite('damaged', '{');
  const { status, out } = await run(saved);
  assert.equal(status, 0);
  assert.match(out, /^Imported site www\.a\.test-imported:/);
  for (const name of ['www.a.test', 'damaged']) {
    const refused = await run(saved, '--name', name);
    assert.equal(refused.status, 2);
    assert.match(
      refused.errors,
      new RegExp(`${name} already exists .* not imported\\. Choose another --name`),
    );
  }
  await mkdir(folderOf('other'));
  const { errors } = await run(saved, '--name', 'other');
  assert.match(
    errors,
    /other already exists and holds something that is not a site\. Choose another/,
  );
  const kept = await readFile(path.join(folderOf('www.a.test'), 'index.json'), 'utf8');
  assert.equal(kept, '{"kind":"generated"}');
});

test('ends with status 2 and the reason on wrong usage and folders that are no page', async (t) => {
  const { run, saved } = await commandIn(t);
  for (const [args, message] of [
    [[], /PATH is missing\. See npm run import -- --help/],
    [[saved, saved], /One PATH at a time/],
    [[saved, '--nam', 'x'], /--nam\. Did you mean --name\?/],
    [[''], /PATH is missing\. See npm run import -- --help/],
    [[`${saved}-not`], /-not cannot be read: no such file or directory\. Name an archive/],
    [[saved, '--name', '../out'], /"\.\.\/out" is not a valid site name/],
    [[saved, '--document', 'https://x.test/'], /https:\/\/x\.test\/ is not among the responses/],
  ] as const) {
    const { status, out, errors } = await run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(errors, message);
  }
});

test('excludes requests by their URLs, and rejects unknown ones', async (t) => {
  const { run, saved, folderOf } = await commandIn(t);
  const { status, errors } = await run(saved, '--without', SCRIPT);
  assert.equal(status, 0, errors);
  const { resources, requests } = await readManifest(folderOf('www.a.test'));
  assert.ok(resources.every(({ url }) => url !== SCRIPT));
  assert.deepEqual(requests, { recorded: 1, answered: 1 });
  for (const [urls, message] of [
    [
      `${SCRIPT},https://www.a.test/b,c.js`,
      /--without https:\/\/www\.a\.test\/b,c\.js: the archive/,
    ],
    ['a.js', /--without "a\.js": expected URLs of the page/],
    ['https://www.a.test/', /the document https:\/\/www\.a\.test\/ is not among the responses/],
  ] as const) {
    const refused = await run(saved, '--without', urls);
    assert.equal(refused.status, 2);
    assert.match(refused.errors, message);
  }
});

test('rejects an archive in an unknown format with the known ones', async (t) => {
  const { run, folder } = await commandIn(t);
  const unknown = path.join(folder, 'a.js');
  await writeFile(unknown, 'let a');
  const { status, errors } = await run(unknown);
  assert.equal(status, 2);
  assert.match(errors, /a\.js has no supported format\. Supported:\n- /);
  for (const { what } of IMPORT_FORMATS) assert.ok(errors.includes(`\n- ${what}\n`), what);
});

test('shows pages with their titles by --list, and imports a listed one by --document', async (t) => {
  const { write } = await commandIn(t);
  const second = { ...EXAMPLE_DOCUMENT, url: 'https://www.a.test/two' };
  const two = await write('two', exampleRecording([second], { source: ' Two\n pages' }));
  const pages = ['https://www.a.test/  Two pages', 'https://www.a.test/two  Two pages'];
  await assertPagesListed(t, two, ...pages);
});

test('reports by --list an archive without a page, and accepts no further option with it', async (t) => {
  const { run, write } = await commandIn(t);
  const saved = await write(
    'styles',
    exampleRecording([], { exchanges: [exampleExchange(SCRIPT)] }),
  );
  const { status, out, errors } = await run(saved, '--list');
  assert.deepEqual([status, out], [2, '']);
  assert.match(errors, /styles has no page: no response is HTML with status 200/);
  const both = await run(saved, '--list', '--name', 'x');
  assert.equal(both.status, 2);
  assert.match(both.errors, /--list.*--name/);
});

test('keeps the site unchanged when the import fails', async (t) => {
  const { run, saved, write, folderOf } = await commandIn(t);
  await run(saved, '--name', 'mine');
  const before = await readFile(path.join(folderOf('mine'), 'index.json'), 'utf8');
  const unanswered = exampleExchange('https://www.a.test/', { status: 0 });
  const broken = await write('broken', exampleRecording([], { exchanges: [unanswered] }));
  const { status, errors } = await run(broken, '--name', 'mine');
  assert.equal(status, 2);
  assert.match(errors, /broken/);
  assert.equal(await readFile(path.join(folderOf('mine'), 'index.json'), 'utf8'), before);
  assert.deepEqual(await readdir(path.dirname(folderOf('mine'))), ['mine']);
});

test('prints no terminal commands, and pools notes of a kind in one line', async (t) => {
  const { run, write } = await commandIn(t);
  const odd = exampleExchange('https:\u001b[2J,x', { where: 'entry \u001b[2J' });
  const source = 'a \u001b[31m source';
  const { status, out } = await run(
    await write('odd', exampleRecording(Array(80).fill(odd), { source })),
  );
  assert.equal(status, 0);
  assert.ok(!out.includes('\u001b'));
  assert.match(out, /a .\[31m source/);
  const notes = out.split('\n').filter((line) => line.includes('note: '));
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /80 times: skipped, not a web address that can be served; first: /);
});

test('warns of an import that answers less than half of the recording', async (t) => {
  const { run, write } = await commandIn(t);
  const lost = [1, 2].map((name) => exampleExchange(`https://a.test/${name}`, { status: 0 }));
  for (const [exchanges, isWarned] of [
    [lost, true],
    [lost.slice(1), false],
  ] as const) {
    const { status, out } = await run(await write('few', exampleRecording([...exchanges])));
    assert.equal(status, 0);
    assert.equal(/^ {2}warning: the site is nearly empty: /m.test(out), isWarned, out);
  }
});
