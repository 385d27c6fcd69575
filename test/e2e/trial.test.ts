import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { SiteManifest } from '../../cache/manifest.ts';
import { LIMITS } from '../../clients/browser-limits.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { inBrowser, type Stack } from '../../ground/stack.ts';
import { temporaryParent } from '../../ground/system/temporary-folder.ts';
import { STACKS } from '../../servers/index.ts';
import {
  type BenchSetting,
  type LoadOptions,
  type MadeLoad,
  type PathBench,
  type PathLoadResult,
  tryOverPath,
  withPathBench,
} from './path-bench.ts';
import { browserFamily, type Process, untilEnded } from './processes.ts';
import type { FixtureResource } from './site-fixture.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const MAIN = 'https://www.trial.test';
const OTHER = 'https://other.elsewhere.test';
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const HTML: [string, string][] = [['content-type', 'text/html']];

function page(body: string): string {
  return `<!doctype html><link rel="icon" href="data:,"><title>trial</title><p>Some text.</p>${body}`;
}

function htmlPage(url: string, body: string): FixtureResource {
  return { url, type: 'document', headers: HTML, body };
}

function gif(url: string): FixtureResource {
  return { url, type: 'image', headers: [['content-type', 'image/gif']], body: PIXEL };
}

// A page with every kind of request that a load must record: another host, a frame of another site
// with its own resources, a redirect, a POST, and a request after the load event.
const WHOLE_PAGE: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: HTML,
    gzip: true,
    body: page(`<img src="/moved.gif"><iframe src="${OTHER}/frame.html"></iframe><script>
fetch('/beacon', { method: 'POST', body: 'seen' });
addEventListener('load', () => { new Image().src = '/late.gif'; });
</script>`),
  },
  { url: `${MAIN}/moved.gif`, status: 302, headers: [['location', `${OTHER}/pixel.gif`]] },
  gif(`${OTHER}/pixel.gif`),
  { url: `${MAIN}/beacon`, method: 'POST', status: 204 },
  gif(`${MAIN}/late.gif`),
  {
    url: `${OTHER}/frame.html`,
    type: 'iframe',
    headers: HTML,
    body: page('<img src="/inside.gif">'),
  },
  gif(`${OTHER}/inside.gif`),
];

/** Serves a site by a stack and loads it once; `requested` is the protocol of the load. */
function load(
  stack: Stack,
  resources: FixtureResource[],
  about: Partial<SiteManifest> = {},
  {
    requested = stack.protocol,
    breakServer = false,
    visit = 'cold',
    onBegin = () => {},
    ...setting
  }: Omit<BenchSetting, 'stacks' | 'about'> &
    Pick<LoadOptions, 'visit' | 'onBegin'> & { requested?: Protocol; breakServer?: boolean } = {},
): Promise<PathLoadResult> {
  const loading = (bench: PathBench) => {
    const [server] = bench.servers;
    assert.ok(server);
    const isAsIs = requested === stack.protocol && !breakServer;
    const origins = { ...server.origins, ...(breakServer && { 'www.trial.test': '198.18.1.1:1' }) };
    const other = { ...server, stack: { ...stack, protocol: requested }, origins };
    return tryOverPath(bench, isAsIs ? server : other, { visit, onBegin });
  };
  const stacks = [stack];
  return withPathBench(resources, loading, {
    timeoutS: 20,
    ...setting,
    stacks,
    about,
  });
}

interface LoadByStack extends PathLoadResult {
  stack: Stack;
  /** Name of the load in messages. */
  what: string;
}

/** Serves a site by one stack of each protocol (in Firefox not HTTP/1.1), and checks each load. */
async function loadByEach(
  resources: FixtureResource[],
  check: (loaded: LoadByStack) => void,
  { about = {}, visits = ['cold'] as VisitKind[], choices = {} } = {},
): Promise<void> {
  const loading = async (bench: PathBench) => {
    for (const server of bench.servers) {
      const { stack } = server;
      for (const visit of visits) {
        const loaded = await tryOverPath(bench, server, { visit });
        check({ ...loaded, stack, what: `${visit} ${stack.stack}` });
      }
    }
  };
  const [inChromium, inFirefox] = inBoth(LSQUIC, BUN, FLASK);
  // Each Firefox takes long to start.
  for (const stacks of [inChromium, inFirefox.slice(0, 2)]) {
    await withPathBench(resources, loading, {
      timeoutS: 20,
      stacks,
      about,
      choices,
    });
  }
}

/** The stacks in Chromium, and in Firefox. */
function inBoth(...stacks: Stack[]): [Stack[], Stack[]] {
  return [stacks, stacks.map((stack) => inBrowser(stack, 'firefox'))];
}

/** On a busy machine, requests after the load event may come later than a load waits for them. */
function waitForLate(t: TestContext): void {
  t.mock.property(LIMITS as { quietMs: number }, 'quietMs', 1_500);
}

function assertOk({ pageLoad, what }: LoadByStack): void {
  assert.equal(pageLoad.outcome, 'ok', `${what}: ${pageLoad.message}`);
}

/** The load is ok, and ends before the time limit of its waits. */
function assertNotWaitedFor(loaded: LoadByStack): void {
  assertOk(loaded);
  const settleMs = loaded.pageLoad.stepsMs?.settle ?? 0;
  assert.ok(settleMs < LIMITS.quietLimitMs, `${loaded.what}: ${settleMs} ms`);
}

const [LSQUIC, BUN, FLASK] = STACKS as [Stack, Stack, Stack];

for (const stack of TESTED_STACKS) {
  describe(`a load by ${stack.stack}:`, () => {
    let whole: Promise<PathLoadResult> | undefined;
    /** Loads the whole page once for all of these tests. */
    function loadWhole(t: TestContext): Promise<PathLoadResult> {
      waitForLate(t);
      whole ??= load(stack, WHOLE_PAGE, { complete: true });
      return whole;
    }

    test("loads a whole page: every request is in the HAR, by the stack's protocol", async (t) => {
      const { pageLoad, har } = await loadWhole(t);
      assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
      assert.equal(pageLoad.protocol, stack.protocol);
      assert.deepEqual(pageLoad.details?.traffic?.protocols, {
        [stack.protocol]: WHOLE_PAGE.length,
      });
      assert.equal(har?.log.entries.length, WHOLE_PAGE.length);
      assert.ok(har.log.entries.every(({ response }) => response.httpVersion === stack.protocol));
      const posted = har.log.entries.find(({ request }) => request.method === 'POST');
      assert.ok(posted?.request.postData);
      assert.doesNotMatch(posted.request.postData.text ?? '', /seen/);
      assert.equal(
        pageLoad.details?.traffic?.tlsVersion,
        stack.protocol === 'h3' ? 'QUIC' : 'TLS 1.3',
      );
      assert.ok((pageLoad.metrics.connections ?? 0) >= 2);
    });

    test('records its timings, in order, and within the time of a small page', async (t) => {
      const { pageLoad } = await loadWhole(t);
      const time = (name: string) => pageLoad.metrics[name] ?? Number.NaN;
      const connectMs = time('connectMs');
      const firstByteMs = time('firstByteMs');
      const domContentLoadedMs = time('domContentLoadedMs');
      const pageLoadMs = time('pageLoadMs');
      assert.ok(connectMs > 0.1 && connectMs < 10_000, `connect ${connectMs}`);
      assert.ok(firstByteMs > connectMs, `first byte ${firstByteMs}`);
      assert.ok(domContentLoadedMs > firstByteMs, `DOMContentLoaded ${domContentLoadedMs}`);
      assert.ok(pageLoadMs >= domContentLoadedMs && pageLoadMs < 20_000, `page load ${pageLoadMs}`);
      const documentMs = time('documentMs');
      const firstContentfulPaintMs = time('firstContentfulPaintMs');
      assert.ok(documentMs >= connectMs && documentMs < pageLoadMs, `document ${documentMs}`);
      assert.ok(firstContentfulPaintMs > firstByteMs, `paint ${firstContentfulPaintMs}`);
      assert.ok(time('largestContentfulPaintMs') >= firstContentfulPaintMs);
    });

    test('fails after the timeout on a page that never fires its load event', async () => {
      // An endless script keeps the document from being loaded.
      const stuck = page(`<script src="/endless.js"></script>`);
      const { pageLoad, har } = await load(
        stack,
        [
          htmlPage(`${MAIN}/`, stuck),
          {
            url: `${MAIN}/endless.js`,
            type: 'script',
            headers: [['content-type', 'text/javascript']],
            body: 'for (;;);',
          },
        ],
        {},
        { timeoutS: 3 },
      );
      assert.equal(pageLoad.outcome, 'failed');
      assert.equal(pageLoad.code, 'timeout');
      assert.match(pageLoad.message ?? '', /3 s/);
      assert.equal(pageLoad.metrics.pageLoadMs, null);
      assert.equal(har?.log.entries[0]?.request.url, `${MAIN}/`);
    });

    test('fails if a server is unreachable', async () => {
      const { pageLoad } = await load(stack, WHOLE_PAGE, {}, { breakServer: true, timeoutS: 5 });
      assert.equal(pageLoad.outcome, 'failed');
      assert.ok(
        ['navigation-failed', 'timeout'].includes(pageLoad.code ?? ''),
        pageLoad.code ?? '',
      );
    });
  });
}

describe('an invalid load:', () => {
  test('has responses by another protocol', async () => {
    const { pageLoad } = await load(FLASK, WHOLE_PAGE, {}, { requested: 'h2' });
    assert.equal(pageLoad.outcome, 'invalid');
    assert.equal(pageLoad.code, 'wrong-protocol');
    assert.match(pageLoad.message ?? '', /came by http\/1\.1/);
  });

  test('has a request that the recorded page does not make', async () => {
    const [document, ...rest] = WHOLE_PAGE as [FixtureResource, ...FixtureResource[]];
    const more = { ...document, body: `${document.body}<img src="https://unknown.test/x.gif">` };
    const { pageLoad } = await load(BUN, [more, ...rest], { complete: true });
    assert.equal(pageLoad.code, 'request-set-differs');
    assert.match(pageLoad.message ?? '', /extra: GET https:\/\/unknown\.test\/x\.gif/);
    assert.equal(pageLoad.details?.traffic?.failedRequests, 1);
  });

  test('lacks the request of a resource', async () => {
    const unused = { url: `${MAIN}/unused.js`, body: '' };
    const { pageLoad } = await load(LSQUIC, [...WHOLE_PAGE, unused], { complete: true });
    assert.equal(pageLoad.code, 'request-set-differs');
    assert.match(pageLoad.message ?? '', /missing: GET .*unused\.js/);
  });
});

function script(url: string, body: string): FixtureResource {
  return { url, type: 'script', headers: [['content-type', 'text/javascript']], body };
}

for (const bun of inBoth(BUN).flat()) {
  test(`fixes randomness and dates alike in cross-site frames and in workers, and blocks service workers, in ${bun.stack}`, async (t) => {
    waitForLate(t);
    const say = (who: string) =>
      `fetch('${MAIN}/said?' + [${JSON.stringify(who)}, Math.random(), new Date().getFullYear()], { mode: 'no-cors' })`;
    const SERVICE = `addEventListener('fetch', (event) => event.respondWith(new Response('')));`;
    const resources: FixtureResource[] = [
      htmlPage(
        `${MAIN}/`,
        page(`<iframe src="${OTHER}/frame.html"></iframe><script>
${say('page')};
new Worker('/worker.js');
navigator.serviceWorker.register('/service.js').catch(() => {});
</script>`),
      ),
      {
        url: `${OTHER}/frame.html`,
        type: 'iframe',
        headers: HTML,
        body: page(`<script>${say('frame')}</script>`),
      },
      script(`${MAIN}/worker.js`, say('worker')),
      script(`${MAIN}/service.js`, SERVICE),
      { url: `${MAIN}/said`, type: 'xhr', status: 204 },
    ];
    const messages = new Map<string, number>();
    const visit = async () => {
      const { pageLoad, har } = await load(bun, resources, { kind: 'imported' });
      assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
      for (const { request } of har?.log.entries ?? []) {
        const { url } = request;
        if (url.startsWith(`${MAIN}/said`)) messages.set(url, (messages.get(url) ?? 0) + 1);
      }
    };
    // Messages of a worker may arrive when the HAR of its page is already closed.
    const hasTwoOfEach = () =>
      messages.size >= 3 && [...messages.values()].every((times) => times >= 2);
    for (let visits = 0; visits < 5 && !hasTwoOfEach(); visits++) await visit();
    const urls = [...messages.keys()];
    assert.equal(urls.length, 3, urls.join());
    assert.ok(hasTwoOfEach(), JSON.stringify([...messages]));
    assert.ok(
      urls.every((url) => url.endsWith(',2020')),
      urls.join(),
    );
  });
}

test('fails the load if a browser does not start', async () => {
  const { pageLoad } = await load(BUN, WHOLE_PAGE, {}, { chromium: '/bin/false' });
  assert.equal(pageLoad.outcome, 'failed');
  assert.equal(pageLoad.code, 'browser-failed');
  assert.equal(pageLoad.metrics.pageLoadMs, null);
});

test('removes the profile after its load', async () => {
  const { readdir } = await import('node:fs/promises');
  await load(BUN, WHOLE_PAGE);
  const left = (await readdir(temporaryParent())).filter((name) =>
    name.startsWith(`profile-${process.pid}-`),
  );
  assert.deepEqual(left, []);
});

test('limits TLS over TCP to the requested version, and leaves QUIC its own', async () => {
  const check = (loaded: LoadByStack) => {
    assertOk(loaded);
    const tlsVersion = loaded.stack.protocol === 'h3' ? 'QUIC' : 'TLS 1.2';
    assert.equal(loaded.pageLoad.details?.traffic?.tlsVersion, tlsVersion);
  };
  await loadByEach(WHOLE_PAGE, check, { choices: { tlsMost: '1.2' } });
});

for (const bun of inBoth(BUN).flat()) {
  test(`accepts a load with only its document if sub-resources are missing, in ${bun.stack}`, async () => {
    const missing = { choices: { subResources: 'missing' } } as const;
    const { pageLoad, har } = await load(bun, WHOLE_PAGE, { complete: true }, missing);
    assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
    const statuses = har?.log.entries.map(({ response }) => response.status) ?? [];
    assert.deepEqual(statuses.slice(0, 1), [200]);
    assert.deepEqual([...new Set(statuses.slice(1))], [404]);
    assert.equal(pageLoad.details?.traffic?.errorResponses, statuses.length - 1);
    // The same responses are wrong where everything was to be served.
    const [document] = WHOLE_PAGE as [FixtureResource];
    const served = await load(bun, [document], { complete: true });
    assert.equal(served.pageLoad.code, 'request-set-differs');
  });
}

for (const bun of inBoth(BUN).flat()) {
  test(`accepts a reload of an unchanged document, with 304 in its HAR, in ${bun.stack}`, async () => {
    const document: FixtureResource = {
      url: `${MAIN}/`,
      type: 'document',
      headers: [...HTML, ['etag', '"v1"'], ['cache-control', 'no-cache']],
      body: page('<p>Much the same.</p>'.repeat(500)),
    };
    const { pageLoad, har } = await load(bun, [document], {}, { visit: 'reload' });
    assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
    assert.equal(har && mainDocumentOf(har)?.entry.response.status, 304);
    assert.ok((pageLoad.metrics.wireBytes ?? 0) < 1000, `${pageLoad.metrics.wireBytes} bytes`);
  });
}

test('completes responses that the page leaves unread when their bytes have arrived', async () => {
  const headers: [string, string][] = [
    ['content-type', 'text/plain'],
    ['cache-control', 'no-store'],
  ];
  const resources: FixtureResource[] = [
    htmlPage(
      `${MAIN}/`,
      page(`<script>
for (const [url, options] of [['/get'], ['/post', { method: 'POST', body: 'x', keepalive: true }], ['/gone']]) {
  fetch(url, options).then(({ status }) => status);
}
</script>`),
    ),
    { url: `${MAIN}/get`, type: 'xhr', headers, body: 'unread body' },
    { url: `${MAIN}/post`, method: 'POST', type: 'xhr', headers, body: 'unread body' },
    { url: `${MAIN}/gone`, type: 'xhr', status: 404, headers, body: 'unread body' },
  ];
  await loadByEach(resources, assertNotWaitedFor);
  // Chromium does not always report the received size of a compressed body: its recorded length
  // identifies it.
  const packed = page(`<script>fetch('/packed').then(({ status }) => status)</script>`);
  await loadByEach(
    [
      htmlPage(`${MAIN}/`, packed),
      { url: `${MAIN}/packed`, type: 'xhr', headers, body: 'unread '.repeat(80), gzip: true },
    ],
    assertOk,
  );
});

test('records requests of SharedWorkers like those of the page, by every stack', async (t) => {
  waitForLate(t);
  const resources: FixtureResource[] = [
    htmlPage(
      `${MAIN}/`,
      page(`<script>new SharedWorker('/shared.js').port.start();
new SharedWorker('/shared.js').port.start();
addEventListener('load', () => new SharedWorker('/late.js'));</script>`),
    ),
    script(
      `${MAIN}/shared.js`,
      "importScripts('/imported.js'); fetch('/said?' + [Math.random()]);",
    ),
    script(`${MAIN}/imported.js`, ''),
    script(`${MAIN}/late.js`, ''),
    { url: `${MAIN}/said`, type: 'xhr', status: 204 },
  ];
  const said = new Set<string>();
  const check = (loaded: LoadByStack) => {
    const { pageLoad, har, stack, what } = loaded;
    assertNotWaitedFor(loaded);
    assert.deepEqual(pageLoad.details?.traffic?.protocols, { [stack.protocol]: 5 }, what);
    const urls = har?.log.entries.map(({ request }) => new URL(request.url)) ?? [];
    const paths = urls.map(({ pathname }) => pathname).sort();
    assert.deepEqual(paths, ['/', '/imported.js', '/late.js', '/said', '/shared.js']);
    for (const { search } of urls) said.add(search);
  };
  await loadByEach(resources, check, { visits: ['cold', 'repeat', 'reload'] });
  // Randomness is the same in all of them.
  assert.equal(said.size, 2, [...said].join());
});

test('accepts an XML page with style sheets by every stack, and does not wait for it', async () => {
  const sheet = (body: string) =>
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">${body}</xsl:stylesheet>`;
  const xml = (path: string, body: string, gzip: boolean): FixtureResource => ({
    url: `${MAIN}${path}`,
    type: path === '/' ? 'document' : 'stylesheet',
    headers: [['content-type', 'text/xml']],
    body,
    gzip,
  });
  for (const gzip of [false, true]) {
    const resources: FixtureResource[] = [
      xml('/', '<?xml-stylesheet type="text/xsl" href="/style.xsl"?><p>Text</p>', gzip),
      xml(
        '/style.xsl',
        sheet(`<xsl:import href="/imported.xsl"/><xsl:template match="/"><html><body>
<p>Text: <xsl:value-of select="document('/other.xml')/p"/></p><img src="/pixel.gif"/>
</body></html></xsl:template>`),
        gzip,
      ),
      xml('/imported.xsl', sheet(''), gzip),
      xml('/other.xml', '<p>other</p>', gzip),
      gif(`${MAIN}/pixel.gif`),
    ];
    const check = (loaded: LoadByStack) => {
      assertNotWaitedFor(loaded);
      const { entries = [] } = loaded.har?.log ?? {};
      const own = entries.filter(({ request }) => !/ico$/.test(request.url));
      assert.deepEqual(
        own.map(({ response: { content, _error } }) => [content.size, _error]),
        resources.map(({ body }) => [body?.length, undefined]),
      );
      assert.ok(own.every(({ time }) => time < LIMITS.quietLimitMs));
    };
    await loadByEach(resources, check, { about: { complete: true } });
  }
});

test('records an authentication challenge like any other response, by every stack', async () => {
  const challenge = (path: string, type: FixtureResource['type']): FixtureResource => ({
    url: `${MAIN}${path}`,
    type,
    status: 401,
    headers: [...HTML, ['www-authenticate', 'Basic realm="x"']],
    body: '<p>401',
  });
  const resources: FixtureResource[] = [
    htmlPage(
      `${MAIN}/`,
      page(`<img src="/image"><iframe src="/frame"></iframe><script>fetch('/api');</script>`),
    ),
    challenge('/image', 'image'),
    challenge('/frame', 'iframe'),
    challenge('/api', 'xhr'),
  ];
  for (const isolation of ['context', 'process'] as const) {
    const check = (loaded: LoadByStack) => {
      assertOk(loaded);
      assert.equal(loaded.pageLoad.details?.traffic?.errorResponses, 3);
    };
    await loadByEach(resources, check, { choices: { isolation } });
  }
});

test('accepts requests that Strict-Transport-Security upgrades to https, by every stack', async () => {
  const plain = MAIN.replace('https:', 'http:');
  const strict: [string, string] = ['strict-transport-security', 'max-age=3600'];
  const first = { url: `${MAIN}/`, type: 'document' as const };
  const pixel: FixtureResource = gif(`${MAIN}/pixel.gif`);
  const next = { url: `${MAIN}/de/`, type: 'document' as const, headers: HTML, body: page('') };
  const cases: FixtureResource[][] = [
    [{ ...first, status: 302, headers: [strict, ['location', `${plain}/de/`]] }, next],
    [
      {
        ...first,
        headers: [...HTML, strict],
        body: page(`<script>location.href = '${plain}/de/'</script>`),
      },
      next,
    ],
    [
      {
        ...first,
        headers: [...HTML, strict],
        body: page(`<img src="${plain}/pixel.gif"><script src="${plain}/blocked.js"></script>`),
      },
      pixel,
    ],
  ];
  for (const resources of cases) {
    await loadByEach(resources, (loaded) => {
      assertOk(loaded);
      const answered = loaded.har?.log.entries.filter(({ response }) => response.status > 0) ?? [];
      assert.deepEqual(
        answered.map(({ request, response }) => [request.url, response.status]),
        resources.map(({ url, status = 200 }) => [url, status]),
      );
    });
  }
});

test('accepts a page whose script navigates away, by every stack, and does not wait for it', async () => {
  const leaving = (script: string) =>
    page(
      `<script>${script}</script><link rel="stylesheet" href="/style.css"><img src="/pixel.gif"><p>${'text '.repeat(20_000)}`,
    );
  const cases = [
    [leaving("location.href = '/de/'"), page('<img src="/pixel.gif">')],
    [leaving("if (!document.cookie) { document.cookie = 'seen=1'; location.reload(); }"), page('')],
  ] as const;
  for (const [body, next] of cases) {
    const resources: FixtureResource[] = [
      htmlPage(`${MAIN}/`, body),
      htmlPage(`${MAIN}/de/`, next),
      {
        url: `${MAIN}/style.css`,
        type: 'stylesheet',
        headers: [['content-type', 'text/css']],
        body: 'p { color: green }'.repeat(5_000),
      },
      gif(`${MAIN}/pixel.gif`),
    ];
    await loadByEach(resources, assertNotWaitedFor);
  }
});

test('accepts a navigation that Chromium restarts (Critical-CH), by every stack', async () => {
  const hints = 'Sec-CH-UA-Full-Version-List';
  const resources: FixtureResource[] = [
    {
      url: `${MAIN}/`,
      type: 'document',
      headers: [...HTML, ['accept-ch', hints], ['critical-ch', hints]],
      body: page('<img src="/pixel.gif">'),
    },
    gif(`${MAIN}/pixel.gif`),
  ];
  await loadByEach(resources, (loaded) => {
    assertOk(loaded);
    assert.deepEqual(
      loaded.har?.log.entries.map(({ response }) => response.status),
      [200, 200],
    );
  });
});

for (const bun of inBoth(BUN).flat()) {
  test(`closes dialogs of a page and of its frames at once, and counts them, in ${bun.stack}`, async () => {
    const dialogs = '<script>alert(1); confirm(2); prompt(3)</script>';
    const resources: FixtureResource[] = [
      htmlPage(`${MAIN}/`, page(`${dialogs}<iframe src="${OTHER}/frame"></iframe>`)),
      { url: `${OTHER}/frame`, type: 'iframe', headers: HTML, body: page(dialogs) },
    ];
    const { pageLoad } = await load(bun, resources);
    assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
    assert.equal(pageLoad.details?.dialogs, 3 + 3);
    const [{ body: _, ...plain }, frame] = resources as [FixtureResource, FixtureResource];
    const alone = await load(bun, [{ ...plain, body: frame.body }]);
    assert.equal(alone.pageLoad.details?.dialogs, 3);
  });
}

for (const bun of inBoth(BUN).flat()) {
  test(`keeps cookies and authorization values in a HAR only on request, in ${bun.stack}`, async () => {
    const resources: FixtureResource[] = [
      {
        url: `${MAIN}/`,
        type: 'document',
        headers: [...HTML, ['set-cookie', 'visitor=SECRET1; Max-Age=3600']],
        body: page(
          `<script>fetch('/api', { headers: { authorization: 'Bearer SECRET2' } })</script>`,
        ),
      },
      { url: `${MAIN}/api`, type: 'xhr', body: '{}' },
    ];
    const left = await load(bun, resources);
    assert.equal(left.pageLoad.outcome, 'ok', left.pageLoad.message ?? '');
    const text = JSON.stringify(left.har);
    assert.doesNotMatch(text, /SECRET/);
    assert.match(text, /visitor=\(removed\)/);
    const kept = JSON.stringify(
      (await load(bun, resources, {}, { choices: { keepSecrets: true } })).har,
    );
    assert.match(kept, /SECRET1/);
    assert.match(kept, /SECRET2/);
  });
}

describe('a browser that breaks during a load fails it, within bounds, and leaves no process:', () => {
  /** Keeps the load going until the test ends it. */
  const ENDLESS = [
    htmlPage(`${MAIN}/`, page('<script>for (;;);</script>')),
  ] satisfies FixtureResource[];

  async function broken(act: () => void): Promise<MadeLoad & { seconds: number }> {
    let family: Process[] = [];
    const startMs = performance.now();
    const { pageLoad } = await load(
      BUN,
      ENDLESS,
      {},
      {
        timeoutS: 10,
        onBegin: () => {
          setTimeout(() => {
            family = browserFamily();
            act();
          }, 3_000);
        },
      },
    );
    const seconds = (performance.now() - startMs) / 1000;
    assert.ok(family.length > 2, 'the browser was not found');
    await untilEnded(family);
    return { ...pageLoad, seconds };
  }

  test('all of its processes are stopped', async () => {
    const { outcome, code, message, seconds } = await broken(() => {
      for (const { pid } of browserFamily()) process.kill(pid, 'SIGSTOP');
    });
    assert.equal(outcome, 'failed');
    assert.equal(code, 'browser-hung', message ?? '');
    assert.match(message ?? '', /^Chromium hung: .*killed\.$/);
    // Including its start and end, which take time on a busy machine.
    assert.ok(seconds < 150, `${seconds} s`);
  });

  test('its page is killed', async () => {
    const { outcome, code, message } = await broken(() => {
      for (const { pid, command } of browserFamily()) {
        if (command.includes('--type=renderer')) process.kill(pid, 'SIGKILL');
      }
    });
    assert.equal(outcome, 'failed');
    assert.equal(code, 'page-crashed', message ?? '');
  });

  test('the browser is killed', async () => {
    const { outcome, code, message } = await broken(() => {
      const [main] = browserFamily();
      if (main) process.kill(main.pid, 'SIGKILL');
    });
    assert.equal(outcome, 'failed');
    assert.equal(code, 'browser-failed', message ?? '');
  });
});
