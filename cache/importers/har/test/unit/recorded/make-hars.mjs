/**
 * Makes the HARs of this folder by the programs that write HARs: Chromium's DevTools and Playwright, of a small page of this
 * project's own with two hosts, a redirect, an iframe, gzip and brotli, a font, an XMLHttpRequest and a POST.
 *
 *   npm install --no-save playwright-core@1.65.1
 *   CHROMIUM_PATH=/usr/lib/chromium/chromium node make-hars.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { launchByPlaywright, withDevTools } from './har-programs.mjs';

const here = import.meta.dirname;
const temporary = mkdtempSync(path.join(tmpdir(), 'make-hars-'));

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
const LATIN1_PAGE = Buffer.from('<!doctype html><title>frame</title><p>Gr\xfc\xdfe', 'latin1');
const html = `<!doctype html><meta charset="utf-8"><title>Small page</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
<p style="font-family:f">A page for trying out importers: naïve, 測試.</p>
<img src="https://cdn.live.test/moved.gif" alt=""><iframe src="https://cdn.live.test/frame.html"></iframe>
<script src="/app.js"></script>`;
const script = `fetch("/data.json?n=1").then(function(r){return r.json()});
fetch("/count",{method:"POST",body:"n=1"}).then(function(r){return r.text()});
document.fonts.load("16px f");`;

const ROUTES = {
  'GET www.live.test/': [
    200,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'set-cookie': ['a=1; Path=/', 'b=2; Path=/'],
    },
    gzipSync(html),
  ],
  'GET www.live.test/style.css': [
    200,
    { 'content-type': 'text/css', 'content-encoding': 'br', 'cache-control': 'max-age=60' },
    brotliCompressSync('@font-face{font-family:f;src:url(/f.ttf)}body{margin:1em}'),
  ],
  'GET www.live.test/app.js': [
    200,
    { 'content-type': 'text/javascript', 'content-encoding': 'gzip' },
    gzipSync(script),
  ],
  'GET www.live.test/f.ttf': [
    200,
    { 'content-type': 'font/ttf' },
    Buffer.from([0, 1, 0, 0, 255, 254, 13, 10]),
  ],
  'GET www.live.test/data.json?n=1': [
    200,
    { 'content-type': 'application/json' },
    Buffer.from('{"n":1}'),
  ],
  'POST www.live.test/count': [200, { 'content-type': 'text/plain' }, Buffer.from('counted')],
  'GET cdn.live.test/moved.gif': [
    302,
    { location: 'https://cdn.live.test/pixel.gif' },
    Buffer.alloc(0),
  ],
  'GET cdn.live.test/pixel.gif': [200, { 'content-type': 'image/gif' }, PIXEL],
  'GET cdn.live.test/frame.html': [
    200,
    { 'content-type': 'text/html; charset=iso-8859-1' },
    LATIN1_PAGE,
  ],
};

function listen() {
  const subject = ['-subj', '/CN=live.test', '-addext', 'subjectAltName=DNS:*.live.test'];
  const files = ['-keyout', `${temporary}/key.pem`, '-out', `${temporary}/cert.pem`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    { stdio: 'ignore' },
  );
  const server = createServer(
    { key: readFileSync(`${temporary}/key.pem`), cert: readFileSync(`${temporary}/cert.pem`) },
    (request, response) => {
      request.resume();
      const [status, headers, body] = ROUTES[
        `${request.method} ${request.headers.host}${request.url}`
      ] ?? [404, {}, Buffer.alloc(0)];
      response.writeHead(status, { ...headers, 'content-length': body.length });
      response.end(body);
    },
  );
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function byPlaywright(flags) {
  const browser = await launchByPlaywright({ args: flags });
  for (const [name, content] of [
    ['playwright.har', 'embed'],
    ['playwright.har.zip', 'attach'],
  ]) {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      recordHar: { path: path.join(here, name), content, mode: 'full' },
    });
    const page = await context.newPage();
    await page.goto('https://www.live.test/', { waitUntil: 'networkidle' });
    await context.close();
  }
  await browser.close();
}

const byDevTools = (flags) =>
  withDevTools([...flags, '--ignore-certificate-errors'], async (tab, savedHar) => {
    await tab.goto('https://www.live.test/', { waitUntil: 'networkidle0' });
    await sleep(1000);
    for (const [file, withContent] of [
      ['devtools.har', true],
      ['devtools-without-bodies.har', false],
    ]) {
      writeFileSync(path.join(here, file), await savedHar(withContent));
    }
  });

const server = await listen();
const flags = [`--host-resolver-rules=MAP *.live.test 127.0.0.1:${server.address().port}`];
try {
  await byPlaywright(flags);
  await byDevTools(flags);
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(temporary, { recursive: true, force: true });
}
