import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { exchangesOf } from '../../clients/chromium/har/exchanges.ts';
import { withProfile } from '../../clients/chromium/profile.ts';
import { openTab, rootSession } from '../../clients/chromium/tab.ts';
import { load, settle, watchTab } from '../../clients/chromium/visit.ts';
import type { Har } from '../../clients/har/har.ts';
import type { Isolation } from '../../ground/records/run.ts';
import { readMachine } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { withBrowser } from './with-browser.ts';

const MAIN = 'https://www.contexts.test';
const OTHER = 'https://frame.elsewhere.test';
const HTML: [string, string] = ['content-type', 'text/html'];

// A frame of another site that gets a cookie and makes another request with it.
const FRAMED: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [HTML],
    body: `<!doctype html><link rel="icon" href="data:,"><p>Text.</p><iframe src="${OTHER}/frame"></iframe>`,
  },
  {
    url: `${OTHER}/frame`,
    type: 'iframe',
    headers: [HTML, ['set-cookie', 'visitor=7; SameSite=None; Secure']],
    body: '<!doctype html><img src="/asked.svg">',
  },
  {
    url: `${OTHER}/asked.svg`,
    type: 'image',
    headers: [['content-type', 'image/svg+xml']],
    body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
];

// Code of this length is cached once it was compiled twice.
const SCRIPT = `function sum(n) { let all = 0; for (let i = 0; i < n; i++) all += i % 7; return all; }
${Array.from({ length: 200 }, (_, index) => `function f${index}(n) { return sum(n + ${index}); }`).join('\n')}
globalThis.total = f7(1000) + f99(1000);`;

const SCRIPTED: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [HTML],
    body: '<!doctype html><link rel="icon" href="data:,"><script src="/code.js"></script>',
  },
  {
    url: `${MAIN}/code.js`,
    type: 'script',
    headers: [
      ['content-type', 'text/javascript'],
      ['cache-control', 'max-age=3600'],
    ],
    body: SCRIPT,
  },
];

const SHARED: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [HTML],
    body: `<!doctype html><link rel="icon" href="data:,"><script>
globalThis.answered = new Promise((resolve) => {
  const { port } = new SharedWorker('/shared.js');
  port.onmessage = () => resolve(true);
});</script>`,
  },
  {
    url: `${MAIN}/shared.js`,
    type: 'script',
    headers: [['content-type', 'text/javascript']],
    body: 'onconnect = ({ ports: [port] }) => port.postMessage(1);',
  },
];

/**
 * Loads the page repeatedly in each of several contexts, one after the other; returns how often its
 * script was compiled already.
 */
async function timesCompiled(
  root: CDPSession,
  { contexts, loads, pauseMs }: { contexts: number; loads: number; pauseMs: number },
): Promise<number> {
  let compiled = 0;
  const look = ({ value }: { value: object[] }) => {
    for (const event of value as { name: string; args: { data?: Record<string, unknown> } }[]) {
      const { url, consumedCacheSize } = event.args.data ?? {};
      if (event.name !== 'v8.compile' || url !== `${MAIN}/code.js`) continue;
      if (Number(consumedCacheSize ?? 0) > 0) compiled++;
    }
  };
  root.on('Tracing.dataCollected', look);
  const includedCategories = ['devtools.timeline'];
  await root.send('Tracing.start', { traceConfig: { includedCategories } });
  for (let context = 0; context < contexts; context++) {
    const { browserContextId } = await root.send('Target.createBrowserContext');
    const { session } = await openTab(root, browserContextId);
    for (let time = 0; time < loads; time++) {
      const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
      await session.send('Page.navigate', { url: `${MAIN}/` });
      await loaded;
      // Code is cached some time after it has run.
      await sleep(pauseMs);
    }
    await root.send('Target.disposeBrowserContext', { browserContextId });
  }
  const complete = new Promise((resolve) => root.once('Tracing.tracingComplete', resolve));
  await root.send('Tracing.end');
  await complete;
  root.off('Tracing.dataCollected', look);
  return compiled;
}

const BUN = STACKS.filter(({ stack }) => stack === 'bun-h2');

function cookiesSent({ log }: Har): (string | undefined)[] {
  return log.entries.map(
    ({ request }) => request.headers.find(({ name }) => name.toLowerCase() === 'cookie')?.value,
  );
}

describe('a context is like a separate browser:', () => {
  test('returns cookies to frames of other sites', async () => {
    const sent = new Map<Isolation, (string | undefined)[]>();
    for (const isolation of ['context', 'process'] as const) {
      const choices = { isolation, keepSecrets: true };
      await withPathBench(
        FRAMED,
        async (bench) => {
          const [server] = bench.servers;
          assert.ok(server);
          sent.set(isolation, cookiesSent((await loadOverPath(bench, server)).har));
        },
        { stacks: BUN, choices },
      );
    }
    assert.deepEqual(sent.get('process'), [undefined, undefined, 'visitor=7']);
    assert.deepEqual(sent.get('context'), sent.get('process'));
  });

  test('has no code that was compiled in another one', () =>
    withPathBench(
      SCRIPTED,
      ({ servers: [server], networkPath }) =>
        withProfile((profileFolder) => {
          assert.ok(server);
          const { origins, spkiPins } = server;
          const enter = networkPath.agent.enter('client');
          return withBrowser(
            {
              chromium: readMachine().chromium,
              enter,
              protocol: 'h2',
              origins,
              spkiPins,
              profileFolder,
              netLogFile: null,
            },
            async (browser) => {
              const root = await rootSession(browser);
              // Control: within one context the check finds it.
              let pauseMs = 500;
              const seen = () => timesCompiled(root, { contexts: 1, loads: 3, pauseMs });
              while ((await seen()) === 0) {
                pauseMs *= 2;
                assert.ok(pauseMs < 10_000, 'no code is put away');
              }
              assert.equal(await timesCompiled(root, { contexts: 3, loads: 1, pauseMs }), 0);
            },
          );
        }),
      { stacks: BUN },
    ));

  test("has its own SharedWorkers in a load, and keeps no other load's", () =>
    withPathBench(
      SHARED,
      async ({ servers: [server], contexts: places }) => {
        assert.ok(server);
        const visitIn = async (capture: boolean) => {
          const place = await places.open(server.stack.stack);
          const options = { url: `${MAIN}/`, isReload: false, timeoutS: 20, script: null, capture };
          const recorder = await watchTab(place, options);
          const visit = async () => {
            const loaded = await load(place, recorder, options);
            // A machine that is slow to start the worker may find the network quiet before.
            const answered = { expression: 'answered', awaitPromise: true, returnByValue: true };
            const { result } = await place.tab.session.send('Runtime.evaluate', answered);
            assert.equal(result.value, true);
            return settle(place, loaded);
          };
          return { place, visit };
        };
        const visits = [await visitIn(true), await visitIn(true), await visitIn(false)];
        const settled = await Promise.all(visits.map(({ visit }) => visit()));
        const paths = settled.map(({ events }) =>
          exchangesOf(events).map(({ request, finished }) => [
            new URL(request.request.url).pathname,
            finished !== null,
          ]),
        );
        const both = [
          ['/', true],
          ['/shared.js', true],
        ];
        assert.deepEqual(paths, [both, both, []]);
        const [{ place }] = visits as [(typeof visits)[0]];
        for (const visit of visits) await visit.place.leave();
        const left = async () =>
          (await place.root.send('Target.getTargets')).targetInfos.filter(
            ({ type }) => type === 'shared_worker',
          );
        for (let waits = 0; waits < 600 && (await left()).length > 0; waits++) await sleep(50);
        assert.deepEqual(await left(), []);
      },
      { stacks: BUN, choices: { isolation: 'context' } },
    ));

  test('has an equally large window, and a page process that ends with it', () =>
    withProfile((profileFolder) =>
      withBrowser(
        {
          chromium: readMachine().chromium,
          enter: [],
          protocol: 'h2',
          origins: {},
          spkiPins: [],
          profileFolder,
          netLogFile: null,
        },
        async (browser) => {
          const root = await rootSession(browser);
          const renderers = async () => {
            const { processInfo } = await root.send('SystemInfo.getProcessInfo');
            return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
          };
          const sizes = new Set<string>();
          const sizeOf = async (context?: string) => {
            const { session } = await openTab(root, context);
            const expression = '[innerWidth, innerHeight, devicePixelRatio].join()';
            const { result } = await session.send('Runtime.evaluate', { expression });
            sizes.add(String(result.value));
          };
          await sizeOf();
          const before = await renderers();
          for (let time = 0; time < 2; time++) {
            const { browserContextId } = await root.send('Target.createBrowserContext');
            await sizeOf(browserContextId);
            const during = (await renderers()).filter((id) => !before.includes(id));
            assert.ok(during.length > 0);
            await root.send('Target.disposeBrowserContext', { browserContextId });
            const left = async () => (await renderers()).filter((id) => during.includes(id));
            for (let waits = 0; waits < 600 && (await left()).length > 0; waits++) {
              await sleep(50);
            }
            assert.deepEqual(await left(), []);
          }
          assert.equal(sizes.size, 1, [...sizes].join(' and '));
        },
      ),
    ));
});
