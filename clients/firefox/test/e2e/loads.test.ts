import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inBrowser, type Stack } from '../../../../ground/stack.ts';
import { browserOfMachine } from '../../../../runner/machine.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { flaskH1 } from '../../../../servers/flask-h1/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { type PathBench, tryOverPath, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { browserFamily, type Process, untilEnded } from '../../../../test/e2e/processes.ts';
import type { FixtureResource } from '../../../../test/e2e/site-fixture.ts';
import { runFirefox } from '../../firefox.ts';

const MAIN = 'https://www.firefox.test';
const OTHER = 'https://other.elsewhere.test';
const HTML: [string, string][] = [['content-type', 'text/html']];
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const STACKS = [lsquicH3, bunH2, flaskH1].map((stack) => inBrowser(stack, 'firefox'));

function page(body: string): FixtureResource {
  const headers: [string, string][] = [
    ...HTML,
    ['set-cookie', 'seen=1'],
    ['cache-control', 'max-age=3600'],
  ];
  return {
    url: `${MAIN}/`,
    type: 'document',
    headers,
    body: `<!doctype html><title>t</title>${body}`,
  };
}

function gif(url: string): FixtureResource {
  const headers: [string, string][] = [
    ['content-type', 'image/gif'],
    ['cache-control', 'max-age=3600'],
  ];
  return { url, type: 'image', headers, body: PIXEL };
}

const TWO_HOSTS = [
  page(`<img src="/a.gif"><img src="${OTHER}/b.gif">`),
  gif(`${MAIN}/a.gif`),
  gif(`${OTHER}/b.gif`),
];

function withFirefox(
  resources: FixtureResource[],
  stacks: readonly Stack[],
  use: (bench: PathBench) => Promise<void>,
): Promise<void> {
  return withPathBench(resources, use, { stacks, timeoutS: 20 });
}

test('every load is cold, and over its own transport alone, in a Firefox that has loaded the page before', async () => {
  await withFirefox(TWO_HOSTS, STACKS, async (bench) => {
    for (const server of bench.servers) {
      for (let load = 0; load < 3; load++) {
        const { pageLoad, har } = await tryOverPath(bench, server, { rttMs: 20 });
        const what = `${server.stack.stack}, load ${load}`;
        assert.equal(pageLoad.outcome, 'ok', `${what}: ${pageLoad.message}`);
        const opened = pageLoad.connections?.opened ?? [];
        const isQuic = server.stack.protocol === 'h3';
        assert.ok(opened.length >= 2, what);
        for (const { transport, offered, handshake } of opened) {
          assert.deepEqual(
            [transport, offered, handshake],
            [isQuic ? 'quic' : 'tcp', 'full', 'full'],
            what,
          );
        }
        // The document sets a cookie, which further requests of its own load have.
        const [document] = har?.log.entries ?? [];
        const names = document?.request.headers.map(({ name }) => name.toLowerCase()) ?? [];
        assert.ok(names.includes('accept'), what);
        assert.ok(!names.includes('cookie') && !names.includes('if-modified-since'), what);
        assert.ok(
          har?.log.entries.every((each) => each._fromCache === undefined),
          what,
        );
      }
    }
  });
});

test('a load by HTTP/3 opens no TCP connection even over a long path with losses', async () => {
  await withFirefox(TWO_HOSTS, STACKS.slice(0, 1), async (bench) => {
    for (const server of bench.servers) {
      for (let load = 0; load < 3; load++) {
        const { pageLoad } = await tryOverPath(bench, server, {
          rttMs: 300,
          network: { lossPercent: 3 },
        });
        const opened = pageLoad.connections?.opened ?? [];
        assert.ok(opened.length > 0, pageLoad.message ?? '');
        assert.deepEqual([...new Set(opened.map(({ transport }) => transport))], ['quic']);
      }
    }
  });
});

test("blocks a window that a page opens by itself, as a user's Firefox does", async () => {
  const opener = page(`<script>open('/second')</script>`);
  const second = { ...page(''), url: `${MAIN}/second` };
  await withFirefox([opener, second], STACKS.slice(1, 2), async (bench) => {
    const [server] = bench.servers;
    assert.ok(server);
    const { pageLoad, har } = await tryOverPath(bench, server);
    assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
    assert.deepEqual(
      har?.log.entries.map(({ request }) => request.url),
      [`${MAIN}/`],
    );
  });
});

test('makes no request of its own', async () => {
  const running = await runFirefox(
    {
      stack: { stack: 'none', protocol: 'h3' },
      origins: { 'www.firefox.test': '127.0.0.1:443' },
      firefox: browserOfMachine('firefox'),
    },
    { enter: [] },
  );
  try {
    await running.privileged(WATCH_REQUESTS);
    await sleep(10_000);
    assert.deepEqual(await running.privileged('ownRequests'), []);
  } finally {
    await running.close();
  }
});

const WATCH_REQUESTS = `(() => {
  globalThis.ownRequests = [];
  Services.obs.addObserver((channel) => {
    channel.QueryInterface(Ci.nsIHttpChannel);
    ownRequests.push(channel.URI.spec);
  }, 'http-on-modify-request');
})()`;

describe('a Firefox that breaks during a load fails it, and leaves no process:', () => {
  const ENDLESS = [page('<script>for (;;);</script>')];

  async function broken(act: (family: Process[]) => void) {
    let family: Process[] = [];
    const { promise, resolve } = Promise.withResolvers<string | null>();
    await withFirefox(ENDLESS, STACKS.slice(1, 2), async (bench) => {
      const [server] = bench.servers;
      assert.ok(server);
      const onBegin = () =>
        void setTimeout(() => {
          family = browserFamily();
          act(family);
        }, 3_000);
      const { pageLoad } = await tryOverPath(
        { ...bench, setting: { ...bench.setting, timeoutS: 10 } },
        server,
        { onBegin },
      );
      assert.equal(pageLoad.outcome, 'failed');
      resolve(pageLoad.code);
    });
    assert.ok(family.length > 2, 'the browser was not found');
    await untilEnded(family);
    return promise;
  }

  const signal = (processes: readonly Process[], name: NodeJS.Signals) => {
    for (const { pid } of processes) process.kill(pid, name);
  };

  test('its page is stuck', async () => {
    assert.equal(await broken(() => {}), 'timeout');
  });

  test('all of its processes are stopped', async () => {
    assert.equal(await broken((family) => signal(family, 'SIGSTOP')), 'browser-hung');
  });

  test('its page is killed', async () => {
    const code = await broken((family) =>
      signal(
        family.filter(({ command }) => command.includes('-isForBrowser')),
        'SIGKILL',
      ),
    );
    assert.equal(code, 'page-crashed');
  });

  test('it is killed', async () => {
    assert.equal(await broken(([main]) => main && signal([main], 'SIGKILL')), 'browser-failed');
  });
});
