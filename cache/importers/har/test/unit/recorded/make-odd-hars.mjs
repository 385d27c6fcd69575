/**
 * Makes the `odd-*.har.gz` of this folder by the programs that write HARs: Chromium's DevTools, Playwright, Firefox and mitmproxy, of a page of
 * this project's own with what no replay can answer as it was: a bounce to sign on, a redirect to an extension, a blocked
 * response, one that is given up, a report, `data:` and `blob:`, and on a second visit what the browser has in its cache.
 *
 *   pip install mitmproxy==11.0.2; npm install --no-save playwright-core@1.65.1
 *   CHROMIUM_PATH=/usr/lib/chromium/chromium FIREFOX_PATH=firefox-esr MITMDUMP_PATH=mitmdump node make-odd-hars.mjs
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { launch, launchByPlaywright, withDevTools } from './har-programs.mjs';

const here = import.meta.dirname;
const firefox = process.env.FIREFOX_PATH ?? 'firefox-esr';
const mitmdump = process.env.MITMDUMP_PATH ?? 'mitmdump';
const temporary = mkdtempSync(path.join(tmpdir(), 'make-odd-hars-'));

const PAGE = 'http://odd.test/';
const html = `<!doctype html><meta charset="utf-8"><title>Odd page</title>
<link rel="stylesheet" href="/style.css"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=" alt="">
<iframe src="http://cdn.odd.test/frame.html"></iframe><img src="/extension.png" alt=""><img src="http://cdn.odd.test/blocked.json" alt="">
<p>A page for trying out importers: naïve, 測試.</p><script src="/tiny.js"></script><script src="/odd.js"></script>`;
const script = `fetch(URL.createObjectURL(new Blob(["b"])));
const control = new AbortController();
fetch("/endless", { signal: control.signal }).then(() => control.abort());`;

const gzip = { 'content-encoding': 'gzip' };
const kept = { etag: '"1"', 'cache-control': 'no-cache' };
const page = { 'content-type': 'text/html; charset=utf-8', ...gzip, ...kept };
const reports = {
  'content-security-policy-report-only':
    "script-src 'self'; img-src data: http://cdn.odd.test; report-uri /report",
};
const to = (location, more = {}) => [302, { location, ...more }, ''];
const ROUTES = {
  'GET sso.odd.test/?to=odd': to('http://odd.test/signed-on'),
  'GET odd.test/signed-on': to('/', { 'set-cookie': 'session=1; Path=/' }),
  'GET odd.test/style.css': [200, { 'content-type': 'text/css', ...kept }, 'body{margin:1em}'],
  'GET odd.test/tiny.js': [
    200,
    { 'content-type': 'text/javascript', ...gzip },
    gzipSync('let tiny;'),
  ],
  'GET odd.test/odd.js': [200, { 'content-type': 'text/javascript', ...gzip }, gzipSync(script)],
  'GET odd.test/extension.png': to('chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/icon.png'),
  'GET cdn.odd.test/frame.html': [200, { 'content-type': 'text/html' }, '<!doctype html><p>frame'],
  'GET cdn.odd.test/blocked.json': [
    200,
    { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
    '{}',
  ],
  'POST odd.test/report': [204, {}, ''],
  // Firefox needs a while until its tools are there.
  'GET odd.test/soon': [
    200,
    { 'content-type': 'text/html' },
    '<meta http-equiv="refresh" content="12;url=/">',
  ],
};

function answerOf({ method, url, headers }) {
  const { host, pathname, search } = new URL(url, `http://${headers.host}`);
  if (`${host}${pathname}` === 'odd.test/') {
    return headers.cookie
      ? [200, { ...page, ...reports }, gzipSync(html)]
      : to('http://sso.odd.test/?to=odd');
  }
  return ROUTES[`${method} ${host}${pathname}${search}`] ?? [404, {}, ''];
}

/** A proxy that answers for all hosts. */
async function listen() {
  const server = createServer((request, response) => {
    request.resume();
    const [status, headers, body] = answerOf(request);
    if (request.url.endsWith('/endless')) {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 9000 });
      response.write('a');
    } else if (headers.etag && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, { etag: headers.etag }).end();
    } else {
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const keep = (name, har) => writeFileSync(path.join(here, `odd-${name}.har.gz`), gzipSync(har));

const flagsFor = (proxyPort) => [
  `--proxy-server=127.0.0.1:${proxyPort}`,
  // Requests of Chromium itself.
  '--proxy-bypass-list=*.google.com;*.googleapis.com',
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
];

/** The first visit signs on; `visits` 2 records the second one. */
const byDevTools = (proxyPort, name, visits) =>
  withDevTools(flagsFor(proxyPort), async (tab, savedHar) => {
    for (let visit = 0; visit < visits; visit += 1) {
      await tab.goto(PAGE, { waitUntil: 'networkidle0' });
      await sleep(2000);
    }
    keep(name, await savedHar(true));
  });

async function byPlaywright(proxyPort) {
  const browser = await launchByPlaywright({ proxy: { server: `127.0.0.1:${proxyPort}` } });
  const file = path.join(temporary, 'playwright.har');
  const context = await browser.newContext({ recordHar: { path: file, content: 'embed' } });
  const tab = await context.newPage();
  await tab.goto(PAGE, { waitUntil: 'networkidle' });
  await context.close();
  await browser.close();
  keep('playwright', readFileSync(file));
}

async function byMitmproxy(upstreamPort) {
  const port = upstreamPort === 18080 ? 18081 : 18080;
  const file = path.join(temporary, 'mitmproxy.har');
  const proxy = spawn(
    mitmdump,
    [
      '-q',
      '--mode',
      `upstream:http://127.0.0.1:${upstreamPort}`,
      '-p',
      String(port),
      '--set',
      `hardump=${file}`,
      '--set',
      `confdir=${temporary}`,
    ],
    { stdio: 'inherit' },
  );
  await sleep(5000);
  const browser = await launch(flagsFor(port));
  const tab = await browser.newPage();
  // The proxy holds back the body without end.
  await tab.goto(PAGE, { waitUntil: 'load', timeout: 20_000 });
  await sleep(2000);
  await browser.close();
  proxy.kill('SIGINT');
  await once(proxy, 'exit');
  keep('mitmproxy', readFileSync(file));
}

/** Firefox writes a HAR of each load by itself while its tools show the network. */
async function byFirefox(proxyPort) {
  const [profile, hars] = [path.join(temporary, 'profile'), path.join(temporary, 'hars')];
  for (const folder of [profile, hars]) mkdirSync(folder);
  const prefs = {
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxyPort,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'dom.security.https_first': false,
    'devtools.toolbox.selectedTool': 'netmonitor',
    'devtools.netmonitor.har.enableAutoExportToFile': true,
    'devtools.netmonitor.har.defaultLogDir': hars,
    'devtools.netmonitor.har.includeResponseBodies': true,
    'devtools.netmonitor.har.forceExport': true,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  writeFileSync(
    path.join(profile, 'user.js'),
    Object.entries(prefs)
      .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
      .join('\n'),
  );
  for (let visit = 0; visit < 2; visit += 1) {
    const browser = spawn(
      firefox,
      ['--headless', '--no-remote', '--profile', profile, '--devtools', `${PAGE}soon`],
      { stdio: 'inherit' },
    );
    await sleep(25_000);
    browser.kill();
    await once(browser, 'exit');
  }
  keep('firefox', readFileSync(path.join(hars, readdirSync(hars).sort().at(-1))));
}

const server = await listen();
const { port } = server.address();
const chosen = process.argv.slice(2);
const makes = (name) => chosen.length === 0 || chosen.includes(name);
try {
  if (makes('devtools')) await byDevTools(port, 'devtools', 1);
  if (makes('devtools')) await byDevTools(port, 'devtools-again', 2);
  if (makes('playwright')) await byPlaywright(port);
  if (makes('mitmproxy')) await byMitmproxy(port);
  if (makes('firefox')) await byFirefox(port);
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(temporary, { recursive: true, force: true });
}
