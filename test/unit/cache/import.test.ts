import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readManifest } from '../../../cache/manifest.ts';
import { runImport } from './command-output.ts';
import { FIXTURES } from './importers/bicycle-shop.ts';
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
  assert.match(out, /note: www\.a\.test\/a\.js: header dropped whose value .*: x-odd/);
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
    assert.match(
      refused.errors,
      new RegExp(`${name} is in the way: .* not imported\\. Give another --name`),
    );
  }
  await mkdir(folderOf('other'));
  const { errors } = await run(saved, '--name', 'other');
  assert.match(errors, /other is in the way: it holds something that is no site\. Give another/);
  const kept = await readFile(path.join(folderOf('www.a.test'), 'index.json'), 'utf8');
  assert.equal(kept, '{"kind":"generated"}');
});

test('wrong usage and folders that are no page end with status 2 and say why', async (t) => {
  const { run, saved } = await commandIn(t);
  for (const [args, message] of [
    [[], /PATH is missing\. See npm run import -- --help/],
    [[saved, saved], /One PATH at a time/],
    [[saved, '--nam', 'x'], /--nam\. Did you mean --name\?/],
    [[''], /PATH is missing\. See npm run import -- --help/],
    [[`${saved}-not`], /-not cannot be read: no such file or directory\. Name an archive/],
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

test('requests are left out by their URLs, and none that the archive does not have', async (t) => {
  const { run, saved, folderOf } = await commandIn(t);
  const script = 'https://www.a.test/a.js';
  const { status, errors } = await run(saved, '--without', script);
  assert.equal(status, 0, errors);
  const { resources, requests } = await readManifest(folderOf('www.a.test'));
  assert.ok(resources.every(({ url }) => url !== script));
  assert.deepEqual(requests, { recorded: 1, answered: 1 });
  for (const [urls, message] of [
    [
      `${script},https://www.a.test/b,c.js`,
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

test('an archive in no known format is refused with the formats that are', async (t) => {
  const { run, saved } = await commandIn(t);
  const { status, errors } = await run(path.join(saved, 'a.js'));
  assert.equal(status, 2);
  assert.match(errors, /a\.js is in no format that can be imported\. Supported:\n- a HAR/);
});

test('--list shows the pages of an archive of any format by what --document takes, and writes nothing', async (t) => {
  const { run, folderOf } = await commandIn(t);
  const recorded = path.join(import.meta.dirname, 'importers/har/recorded');
  const entry = (url: string, pageref: string, mimeType: string) => ({
    pageref,
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: mimeType }],
      content: { text: '<p>page', mimeType },
    },
  });
  const folder = await folderOfFiles(t, {
    'two.har': JSON.stringify({
      log: {
        pages: [{ id: 'p1', title: 'One' }, { id: 'p2' }],
        entries: [
          entry('https://a.test/', 'p1', 'text/html'),
          entry('https://a.test/frame', 'p1', 'text/html'),
          entry('https://a.test/a.css', 'p2', 'text/css'),
          entry('https://a.test/two', 'p2', 'text/html; charset=utf-8'),
        ],
      },
    }),
    'saved/www.a.test/index.html': savedResponse(['Content-Type: text/html'], '<p>page'),
    'saved/www.a.test/wiki/Page': savedResponse(['Content-Type: text/html'], '<p>page'),
    'saved/www.a.test/a.js': savedResponse(['Content-Type: text/javascript'], 'let a'),
    'saved/b.test/index.html': '<p>without headers',
  });
  const cases: [archive: string, ...pages: string[]][] = [
    [path.join(recorded, 'playwright.har'), 'https://www.live.test/  Small page'],
    // Of a second visit: the document is in the browser's cache.
    [path.join(recorded, 'odd-devtools-again.har.gz'), 'http://odd.test/'],
    [path.join(recorded, 'odd-firefox.har.gz'), 'http://odd.test/'],
    [path.join(folder, 'two.har'), 'https://a.test/  One', 'https://a.test/two'],
    [
      path.join(FIXTURES, 'warc/bicycle-shop.warc.gz'),
      'http://shop.test/',
      'http://www.shop.test/',
    ],
    [
      path.join(FIXTURES, 'warc/two-pages.wacz'),
      'http://www.shop.test/',
      'http://www.shop.test/bells.html',
      'http://www.shop.test/map.html',
    ],
    [path.join(FIXTURES, 'warc/parts'), 'http://www.shop.test/', 'http://www.shop.test/map.html'],
    [path.join(FIXTURES, 'web-page-replay/bicycle-shop.wprgo'), 'http://www.shop.test/'],
    [path.join(FIXTURES, 'mahimahi/bicycle-shop'), 'http://www.shop.test/'],
    [
      path.join(folder, 'saved'),
      'b.test/index.html',
      'www.a.test/index.html',
      'www.a.test/wiki/Page',
    ],
  ];
  for (const [archive, ...pages] of cases) {
    const listed = await run(archive, '--list');
    assert.equal(listed.status, 0, listed.errors);
    assert.deepEqual(listed.lines, pages);
    assert.deepEqual(await readdir(path.dirname(folderOf('any'))), []);
    for (const page of pages) {
      const [document = ''] = page.split('  ');
      const { status, errors } = await run(archive, '--document', document, '--name', 'listed');
      assert.equal(status, 0, errors);
    }
    await rm(folderOf('listed'), { recursive: true });
  }
});

test('--list of an archive without a page says so, and goes with no other choice', async (t) => {
  const { run, saved } = await commandIn(t);
  await writeFile(path.join(saved, 'index.html'), savedResponse(['Content-Type: text/css'], 'a'));
  const { status, out, errors } = await run(saved, '--list');
  assert.deepEqual([status, out], [2, '']);
  assert.match(errors, /www\.a\.test has no page: no response is HTML with status 200/);
  const both = await run(saved, '--list', '--name', 'x');
  assert.equal(both.status, 2);
  assert.match(both.errors, /--list.*--name/);
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

test('what a terminal would take for commands is not printed, and notes of a kind are one line', async (t) => {
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
  assert.deepEqual(
    out.split('\n').filter((line) => line.includes('note: ')),
    [
      '  note: 80 times: skipped, not a web address that can be served; first: entry 1 (https:?[2J,x)',
    ],
  );
});

test('an import that answers less than half of what was recorded is warned of', async (t) => {
  const { run, saved } = await commandIn(t);
  const entry = (url: string, status: number) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status, content: { mimeType: 'text/html', text: '<p>' } },
  });
  const lost = [1, 2].map((name) => entry(`https://a.test/${name}`, 0));
  const file = path.join(saved, 'few.har');
  for (const [entries, isWarned] of [
    [[entry('https://a.test/', 200), ...lost], true],
    [[entry('https://a.test/', 200), ...lost.slice(1)], false],
  ] as const) {
    await writeFile(file, JSON.stringify({ log: { entries } }));
    const { status, out } = await run(file);
    assert.equal(status, 0);
    assert.equal(/^ {2}warning: the site is nearly empty: /m.test(out), isWarned, out);
  }
});
