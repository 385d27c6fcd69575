import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Isolation } from '../../records/run.ts';
import { withBrowser } from '../../runner/browser/chromium.ts';
import { withProfile } from '../../runner/browser/profile.ts';
import { openTab, rootSession } from '../../runner/browser/tab.ts';
import type { Har } from '../../runner/har/har.ts';
import { readMachine } from '../../runner/machine.ts';
import { STACKS } from '../../runner/stacks.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';

const MAIN = 'https://www.contexts.test';
const OTHER = 'https://frame.elsewhere.test';
const HTML: [string, string] = ['content-type', 'text/html'];

// A frame of another site that is given a cookie and asks for something more with it.
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

const BUN = STACKS.filter(({ stack }) => stack === 'bun-h2');

function cookiesSent({ log }: Har): (string | undefined)[] {
  return log.entries.map(
    ({ request }) => request.headers.find(({ name }) => name.toLowerCase() === 'cookie')?.value,
  );
}

describe('a context is like a browser of its own:', () => {
  test('frames of other sites get their cookies back', async () => {
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

  test('its window is as large, and its page is rendered by a process that ends with it', () =>
    withProfile((profileFolder) =>
      withBrowser(
        {
          ...{ chromium: readMachine().chromium, enter: [], protocol: 'h2', origins: {} },
          ...{ spkiPins: [], profileFolder, netLogFile: null },
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
            for (let waits = 0; waits < 100 && (await left()).length > 0; waits++) {
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
            assert.deepEqual(await left(), []);
          }
          assert.equal(sizes.size, 1, [...sizes].join(' and '));
        },
      ),
    ));
});
