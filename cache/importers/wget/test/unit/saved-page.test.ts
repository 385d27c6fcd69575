import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import { runImport } from '../../../../../test/unit/cache/command-output.ts';
import {
  folderOfFiles,
  savedResponse,
} from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { assertPagesListed } from '../../../../../test/unit/cache/listed-pages.ts';
import { IMPORT_LIMITS, importBudget } from '../../../../limits.ts';
import { type RecordedSite, siteOfRecording } from '../../../../site-of-recording.ts';
import { readSavedPage as readRecording } from '../../importer.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

async function readSavedPage(
  folder: string,
  document: string | null = null,
  limits = IMPORT_LIMITS,
) {
  return siteOfRecording(await readRecording(folder, { document, limits }), {
    file: folder,
    budget: importBudget(folder, limits),
  });
}

const html = savedResponse(
  ['Content-Type: text/html', 'Date: Thu, 06 Dec 2018 05:02:19 GMT', 'Content-Length: 3'],
  '<title>A page</title>',
);
const urlsOf = (page: RecordedSite) => page.manifest.resources.map(({ url }) => url).sort();
const resourceOf = (page: RecordedSite, url: string) => {
  const resource = page.manifest.resources.find((found) => found.url === url);
  assert.ok(resource, `no ${url}`);
  return resource;
};

test('imports a host folder as a page with its files as resources', async (t) => {
  const folder = await folderOfFiles(t, {
    'www.a.test/index.html': html,
    'www.a.test/js/all.js?v=1': savedResponse(['Content-Type: text/javascript'], 'let a'),
    'www.a.test/f/x.eot?': savedResponse(['Content-Type: application/octet-stream'], 'font'),
    'www.a.test/robots.txt': savedResponse(['Content-Type: text/plain'], 'none'),
  });
  const page = await readSavedPage(path.join(folder, 'www.a.test'));
  assert.equal(page.manifest.url, 'https://www.a.test/');
  assert.equal(
    page.manifest.source,
    'imported from a folder saved with wget: www.a.test, saved 2018-12-06',
  );
  assertFields(page.manifest, { kind: 'imported', complete: false });
  assert.deepEqual(urlsOf(page), [
    'https://www.a.test/',
    'https://www.a.test/f/x.eot?',
    'https://www.a.test/favicon.ico',
    'https://www.a.test/js/all.js?v=1',
    'https://www.a.test/robots.txt',
  ]);
  assert.equal(page.manifest.resources[0]?.type, 'document');
  assert.equal(resourceOf(page, 'https://www.a.test/f/x.eot?').type, 'font');
  assert.equal(resourceOf(page, 'https://www.a.test/js/all.js?v=1').type, 'script');
  assert.deepEqual(page.notes, [
    'www.a.test/index.html: content-length corrected: it was 3, the body has 21 bytes',
  ]);
});

test('imports all hosts of a parent folder, with the only index.html of a host as the document', async (t) => {
  const folder = await folderOfFiles(t, {
    'www.a.test/index.html': html,
    'cdn.b.test/x/index.html': html,
    'cdn.b.test/i.png': savedResponse(['Content-Type: image/png'], 'png'),
    'wget.log': 'saved',
  });
  const page = await readSavedPage(folder);
  assert.equal(page.manifest.url, 'https://www.a.test/');
  assert.deepEqual(urlsOf(page), [
    'https://cdn.b.test/i.png',
    'https://cdn.b.test/x/',
    'https://www.a.test/',
    'https://www.a.test/favicon.ico',
  ]);
  assert.ok(page.notes.includes('wget.log: skipped, not in the folder of a host'));
});

test('takes the URL from X-Original-Url, with https for http', async (t) => {
  const folder = await folderOfFiles(t, {
    'www.a.test/index.html': savedResponse(['X-Original-Url: http://www.a.test/start?x#y'], 'x'),
  });
  const page = await readSavedPage(folder);
  assertFields(page.manifest, { url: 'https://www.a.test/start?x', 'resources.0.headers': [] });
});

test('keeps a coding if the body has it, else drops it with a note', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': savedResponse(['Content-Encoding: gzip'], gzipSync('<link rel="icon">')),
    'a.test/a.js': savedResponse(['Content-Encoding: br'], 'let plain'),
  });
  const page = await readSavedPage(folder);
  const document = resourceOf(page, 'https://a.test/');
  assert.equal(document.contentEncoding, 'gzip');
  assert.equal(document.decodedBytes, 17);
  assert.deepEqual(document.headers, [['content-encoding', 'gzip']]);
  assert.deepEqual(resourceOf(page, 'https://a.test/a.js').headers, []);
  assert.match(page.notes.join('\n'), /a\.js: content-encoding br dropped/);
});

test('adds an empty favicon only if the page names no icon and none was saved', async (t) => {
  const favicon = async (files: Record<string, string | Uint8Array>) => {
    const page = await readSavedPage(await folderOfFiles(t, files));
    return page.manifest.resources.find(({ url }) => url.endsWith('/favicon.ico'))?.status ?? null;
  };
  assert.equal(await favicon({ 'a.test/index.html': html }), 204);
  assert.equal(await favicon({ 'a.test/index.html': html, 'a.test/favicon.ico': html }), 200);
  const named = savedResponse([], '<link href=/i.ico rel="shortcut icon">');
  assert.equal(await favicon({ 'a.test/index.html': named }), null);
});

test('reads a file without header lines as 200 with the type of its extension', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': '<title>plain</title>',
    'a.test/s.css?v=1': 'a{}',
  });
  const page = await readSavedPage(folder);
  assert.deepEqual(resourceOf(page, 'https://a.test/s.css?v=1').headers, [
    ['content-type', 'text/css; charset=utf-8'],
  ]);
  assert.match(page.notes[0] ?? '', /index\.html: no header lines on top/);
});

test('keeps redirects, and drops responses to conditional requests and loops', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': html,
    'a.test/r': 'HTTP/1.1 302 Found\r\nLocation: http://a.test/x\r\n\r\n',
    'a.test/n': 'HTTP/1.1 304 Not Modified\r\n\r\n',
    'a.test/l': 'HTTP/1.1 301 Moved\r\nLocation: https://a.test/l\r\n\r\n',
  });
  const page = await readSavedPage(folder);
  const redirect = resourceOf(page, 'https://a.test/r');
  assertFields(redirect, { status: 302, body: null, headers: [['location', 'https://a.test/x']] });
  assert.equal(page.manifest.resources.length, 3);
  assert.match(page.notes.join('\n'), /a\.test\/n: skipped, status 304/);
  assert.match(page.notes.join('\n'), /a\.test\/l: skipped, its redirects lead in a circle/);
});

test('keeps the first of two files for one URL', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': html,
    'a.test/a': savedResponse(['X-Original-Url: https://a.test/one'], '1'),
    'a.test/b': savedResponse(['X-Original-Url: https://a.test/one'], '2'),
  });
  const page = await readSavedPage(folder);
  const { body } = resourceOf(page, 'https://a.test/one');
  assert.equal(Buffer.from(page.bodies.get(body ?? '') ?? []).toString(), '1');
  assert.match(
    page.notes.join('\n'),
    /a\.test\/b: skipped, the same URL as an earlier one: a\.test\/a/,
  );
});

test('recognizes hosts without a dot by their port, their name, or the headers of their files', async (t) => {
  const folder = await folderOfFiles(t, {
    'ports/localhost:9100/index.html': html,
    'ports/localhost:9100/img/a.gif': savedResponse(['Content-Type: image/gif'], 'gif'),
    'names/localhost/index.html': html,
    'plus/intranet+8080/index.html': html,
    'headers/intranet/index.html': html,
    'headers/cdn/js/a.js': savedResponse(['Content-Type: text/javascript'], 'let a'),
    'headers/notes/a.txt': 'written by hand',
  });
  const read = async (...steps: string[]) =>
    urlsOf(await readSavedPage(path.join(folder, ...steps)));
  const favicon = (host: string) => `https://${host}/favicon.ico`;
  const localhost = ['https://localhost/', favicon('localhost'), 'https://localhost/img/a.gif'];
  assert.deepEqual(await read('ports'), localhost);
  assert.deepEqual(await read('ports', 'localhost:9100'), localhost);
  assert.deepEqual(await read('names'), ['https://localhost/', favicon('localhost')]);
  assert.deepEqual(await read('plus'), ['https://intranet/', favicon('intranet')]);
  assert.deepEqual(await read('headers'), [
    'https://cdn/js/a.js',
    'https://intranet/',
    favicon('intranet'),
  ]);
});

test("does not take a part of a host's own folder for a host, though its files have headers", async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': html,
    'a.test/wiki/index.html': html,
    'b.test/wiki/Page': html,
  });
  const own = await readSavedPage(path.join(folder, 'a.test'), 'wiki/index.html');
  assert.equal(own.manifest.url, 'https://a.test/wiki/');
  const without = await readSavedPage(path.join(folder, 'b.test'), 'wiki/Page');
  assert.equal(without.manifest.url, 'https://b.test/wiki/Page');
});

test('does not follow links', async (t) => {
  const folder = await folderOfFiles(t, { 'a.test/index.html': html, secret: 'secret' });
  await symlink(path.join(folder, 'secret'), path.join(folder, 'a.test/s'));
  const page = await readSavedPage(path.join(folder, 'a.test'));
  assert.ok(!urlsOf(page).includes('https://a.test/s'));
  assert.ok(page.notes.includes('s: skipped, not a regular file'));
});

test('accepts a named document', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/wiki/Page': html,
    'b.test/index.html': html,
  });
  const below = await readSavedPage(path.join(folder, 'a.test'), 'wiki/Page');
  assert.equal(below.manifest.url, 'https://a.test/wiki/Page');
  const parent = await readSavedPage(folder, 'a.test/wiki/Page');
  assert.equal(parent.manifest.url, 'https://a.test/wiki/Page');
  assert.ok(urlsOf(parent).includes('https://b.test/'));
});

test('rejects folders that are no page, with the remedy', async (t) => {
  const folder = await folderOfFiles(t, {
    'two/a.test/index.html': html,
    'two/b.test/index.html': html,
    'none.test/page.html': html,
    'assets/index.html': html,
    'gone.test/index.html': 'HTTP/1.1 304 Not Modified\n\n',
  });
  for (const [name, message] of [
    ['two', /several documents .*a\.test, b\.test.*--document a\.test\/index\.html/],
    ['none.test', /no document found.*--document FILE; --list shows/],
    ['assets', /not named after a host/],
    ['gone.test', /the document https:\/\/gone\.test\/ is not among.*status 304/],
  ] as const) {
    await assert.rejects(
      readSavedPage(path.join(folder, name)),
      { name: 'ImportError', message },
      name,
    );
  }
  await assert.rejects(
    readSavedPage(path.join(folder, 'none.test'), '../assets/index.html'),
    /is not among the saved files/,
  );
});

test('imports a folder that wget itself saved with unchanged bodies', async () => {
  const page = await readSavedPage(path.join(FIXTURES, 'bicycle-shop.test'));
  assert.equal(page.manifest.url, 'https://bicycle-shop.test/');
  assert.deepEqual(urlsOf(page), [
    'https://bicycle-shop.test/',
    // Added by the import: browsers request this icon for pages that name none.
    'https://bicycle-shop.test/favicon.ico',
    'https://bicycle-shop.test/img/bell.gif',
    'https://bicycle-shop.test/shop.css',
  ]);
  assert.equal(resourceOf(page, 'https://bicycle-shop.test/').wireBytes, 103);
  const css = resourceOf(page, 'https://bicycle-shop.test/shop.css');
  assert.equal(
    Buffer.from(page.bodies.get(css.body ?? '') ?? []).toString(),
    'body { color: #123; }',
  );
  assert.equal(css.type, 'stylesheet');
});

/** URLs that a page, its frames and its style sheets link to and that the site does not answer. */
function unanswered({ manifest, bodies }: RecordedSite): string[] {
  const missing: string[] = [];
  const seen = new Set<string>();
  const visit = (link: string, base?: string) => {
    const { origin, pathname, search } = new URL(link, base);
    const url = origin.replace('http:', 'https:') + pathname + search;
    if (seen.has(url)) return;
    seen.add(url);
    const resource = manifest.resources.find((each) => each.url === url);
    if (!resource) missing.push(url);
    if (!/html|css/.test(`${resource?.headers}`)) return;
    const text = Buffer.from(bodies.get(resource?.body ?? '') ?? []).toString();
    for (const [, attribute, name] of text.matchAll(/(?:src|href)=([^\s>]+)|url\(([^)]+)\)/g)) {
      const word = attribute?.replace(/^"(.*)"$/, '$1') ?? name ?? '';
      visit(word.replaceAll('&amp;', '&').replaceAll('&#32;', ' '), url);
    }
  };
  visit(manifest.url);
  return missing;
}

test('gives files the URLs of the links that wget converted', async () => {
  const page = await readSavedPage(path.join(FIXTURES, 'converted'));
  assert.deepEqual(unanswered(page), []);
  for (const name of ['style.css%3Fv=1.css', 'pic.php%3Fid=3&w=20', 'js/app.js%3Fver=5.2']) {
    resourceOf(page, `https://127.0.0.1/${name}`);
  }
  assert.ok(!urlsOf(page).includes('https://127.0.0.1/style.css?v=1.css'));
  assert.match(
    page.notes.join('\n'),
    /4 times: has the URL of the link to it, which wget changed .*%3F/,
  );
});

test('resolves links to other hosts, to index files and to names with another extension', async (t) => {
  const style = 'a{background:url(../img/bg.png%3Fz)}';
  const files = {
    // Links converted, of several hosts.
    'www.a.test/index.html':
      '<link rel=stylesheet href="css/a.css%3fv=1.css"><img src="../cdn.b.test/i.png?w=1"><iframe src="frame/index.html%3Fq=1.html"></iframe><link href="../cdn.b.test+8443/c/x.css">',
    'www.a.test/css/a.css?v=1.css': style,
    'www.a.test/img/bg.png?z': 'png',
    'www.a.test/frame/index.html?q=1.html': '<img src="../../cdn.b.test/i.png?w=1">',
    'cdn.b.test/i.png?w=1': 'png',
    'cdn.b.test+8443/c/x.css': style,
    'cdn.b.test+8443/img/bg.png?z': 'png',
  };
  const converted = await readSavedPage(await folderOfFiles(t, files));
  assert.deepEqual(unanswered(converted), []);
  const adjusted = {
    'www.a.test/index.html':
      '<link rel=stylesheet href="a.css?v=1"><iframe src=frame/?q=1></iframe><iframe src="plain/"></iframe><iframe src=plain/index.html></iframe>',
    'www.a.test/a.css?v=1.css': 'a{}',
    'www.a.test/frame/index.html?q=1.html': 'frame',
    'www.a.test/plain/index.html': 'frame',
  };
  const page = await readSavedPage(await folderOfFiles(t, adjusted));
  assert.deepEqual(unanswered(page), []);
  const style1 = resourceOf(page, 'https://www.a.test/a.css?v=1');
  assert.deepEqual(style1.headers, [['content-type', 'text/css; charset=utf-8']]);
  assert.equal(resourceOf(page, 'https://www.a.test/frame/?q=1').type, 'iframe');
});

test('resolves links whose query wget escaped, and reads script pages as pages', async (t) => {
  const page = await readSavedPage(
    await folderOfFiles(t, {
      'a.test/index.html':
        '<script src="j&#32;s.js?q=a%252Fb"></script><link rel=stylesheet href="load.php?c=1"><iframe src="f.php?id=1"></iframe>',
      'a.test/j s.js?q=a%2Fb': '1',
      'a.test/load.php?c=1': 'a{}',
      'a.test/f.php?id=1': '\n<!-- made -->\n<!DOCTYPE html><p>frame',
    }),
  );
  assert.deepEqual(unanswered(page), []);
  assert.equal(resourceOf(page, 'https://a.test/f.php?id=1').type, 'iframe');
  assert.deepEqual(resourceOf(page, 'https://a.test/load.php?c=1').headers, []);
  assert.match(page.notes.join('\n'), /status 200 and no content type, which browsers guess/);
});

test('takes the originals that wget kept, and skips files of desktops', async (t) => {
  const folder = await folderOfFiles(t, {
    'a.test/index.html': '<link href="s.css%3Fv=1.css">',
    'a.test/index.html.orig': '<link href="/s.css?v=1">',
    'a.test/s.css?v=1.css': 'a{background:url(i.png%3Fx)}',
    'a.test/s.css?v=1orig': 'a{background:url(i.png?x)}',
    'a.test/i.png?x': 'png',
    'a.test/page.php?id=3.html': '<img src="i.png%3Fx">',
    'a.test/page.php?id=3.orig': '<img src="i.png?x">',
    'a.test/.DS_Store': 'x',
    'a.test/own.orig': 'no copy',
  });
  const page = await readSavedPage(folder);
  assert.deepEqual(unanswered(page), []);
  assert.deepEqual(urlsOf(page), [
    'https://a.test/',
    'https://a.test/favicon.ico',
    'https://a.test/i.png?x',
    'https://a.test/own.orig',
    'https://a.test/page.php?id=3',
    'https://a.test/s.css?v=1',
  ]);
  const named = await readSavedPage(folder, 'a.test/page.php?id=3.html');
  assert.equal(named.manifest.url, 'https://a.test/page.php?id=3');
  assert.match(page.notes.join('\n'), /3 times: used as it was before wget changed its links/);
});

test('shows the HTML files of a folder with --list, and reports a folder without any', async (t) => {
  const folder = await folderOfFiles(t, {
    'saved/www.a.test/index.html': savedResponse(['Content-Type: text/html'], '<p>page'),
    'saved/www.a.test/wiki/Page': savedResponse(['Content-Type: text/html'], '<p>page'),
    'saved/www.a.test/a.js': savedResponse(['Content-Type: text/javascript'], 'let a'),
    'saved/b.test/index.html': '<p>without headers',
    'styles/www.a.test/index.html': savedResponse(['Content-Type: text/css'], 'a'),
  });
  await assertPagesListed(
    t,
    path.join(folder, 'saved'),
    'b.test/index.html',
    'www.a.test/index.html',
    'www.a.test/wiki/Page',
  );
  const styles = path.join(folder, 'styles', 'www.a.test');
  const { status, errors } = await runImport((site) => path.join(folder, site), styles, '--list');
  assert.equal(status, 2);
  assert.match(errors, /www\.a\.test has no page: no response is HTML with status 200/);
});

test('imports a folder with its header lines, and reports what it excludes', async (t) => {
  const folder = await folderOfFiles(t, {
    'www.a.test/index.html': savedResponse(['Content-Type: text/html'], '<p>page'),
    'www.a.test/a.js': savedResponse(['X-Odd: \xe9'], 'let a'),
  });
  const saved = path.join(folder, 'www.a.test');
  const folderOf = (site: string) => path.join(folder, 'sites', site);
  const { status, out } = await runImport(folderOf, saved);
  assert.equal(status, 0);
  assert.match(out, /3 resources, 1 host, 12 bytes/);
  assert.match(out, /note: www\.a\.test\/a\.js: header dropped whose value .*: x-odd/);
  const refused = await runImport(folderOf, saved, '--document', 'x.html');
  assert.equal(refused.status, 2);
  assert.match(refused.errors, /not among the saved files/);
});
