import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Har } from '../../clients/har/har.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import type { ConnectionRecord } from '../../ground/records/connection.ts';
import type { Isolation } from '../../ground/records/run.ts';

import { inBrowser, type Stack } from '../../ground/stack.ts';
import { loadOverPath, type MadeLoad, type PathBench, withPathBench } from './path-bench.ts';

import type { FixtureResource } from './site-fixture.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const MAIN = 'https://www.visits.test';
const OTHER = 'https://other.elsewhere.test';
const IMAGES = 8;
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

function image(url: string): FixtureResource {
  const headers: FixtureResource['headers'] = [
    ['content-type', 'image/gif'],
    ['cache-control', 'max-age=3600'],
  ];
  return { url, type: 'image', headers, body: PIXEL };
}

const IMAGE_URLS = Array.from({ length: IMAGES }, (_, index) => `${MAIN}/${index}.gif`);

// Two hosts, more images than HTTP/1.1 has connections, a cookie, and a page with another request
// on later visits.
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [
      ['content-type', 'text/html'],
      ['cache-control', 'no-cache'],
      ['set-cookie', 'visitor=7; Max-Age=3600'],
    ],
    body: `<!doctype html><link rel="icon" href="data:,"><title>visits</title><p>Some text.</p>
${IMAGE_URLS.map((url) => `<img src="${url}">`).join('')}<img src="${OTHER}/other.gif"><script>
document.write('<img src="/' + (localStorage.seen ? 'again' : 'first') + '.gif">');
localStorage.seen = 'yes';
</script>`,
  },
  ...IMAGE_URLS.map(image),
  image(`${OTHER}/other.gif`),
  image(`${MAIN}/first.gif`),
  image(`${MAIN}/again.gif`),
];

interface Loaded {
  pageLoad: MadeLoad;
  har: Har;
  /** The first connection to each host, in the order of their handshakes. */
  firstOfHost: ConnectionRecord[];
}

/**
 * Enough to show that a separate browser makes no difference: by QUIC, by TCP, and by a connection
 * for each request.
 */
const IN_A_PROCESS_TOO = TESTED_STACKS.filter(
  ({ stack, protocol }) => ['lsquic-h3', 'bun-h2'].includes(stack) || protocol === 'http/1.0',
);

function kindsOf({ lacksTickets }: Stack): VisitKind[] {
  return lacksTickets ? ['cold', 'repeat', 'reload'] : ['cold', 'repeat', 'resumed', 'reload'];
}

/**
 * One load of every kind, all from the same server and, with a context each, in the same browser.
 * The cold one comes last: it would show any state that outlived the rest.
 */
function visitByEveryKind(stack: Stack, isolation: Isolation): Promise<Map<VisitKind, Loaded>> {
  const visiting = async (bench: PathBench) => {
    const [server] = bench.servers;
    assert.ok(server);
    const loads = new Map<VisitKind, Loaded>();
    for (const visit of kindsOf(stack).toReversed()) {
      const { pageLoad, har } = await loadOverPath(bench, server, { visit });
      assert.equal(pageLoad.outcome, 'ok', `${visit}: ${pageLoad.code}: ${pageLoad.message}`);
      assert.ok(pageLoad.connections);
      const byHost = Map.groupBy(pageLoad.connections.opened, ({ host }) => host);
      const firstOfHost = [...byHost.values()].flatMap(([first]) => first ?? []);
      loads.set(visit, { pageLoad, har, firstOfHost });
    }
    return loads;
  };
  return withPathBench(RESOURCES, visiting, {
    stacks: [stack],
    choices: { isolation, keepSecrets: true },
  });
}

function urlsOf(har: Har, from: 'cache' | 'server'): string[] {
  return har.log.entries
    .filter(({ _fromCache }) => (_fromCache !== undefined) === (from === 'cache'))
    .map(({ request }) => request.url);
}

function cookieOf(har: Har): string | undefined {
  const document = har.log.entries.find(({ request }) => request.url === `${MAIN}/`);
  return document?.request.headers.find(({ name }) => name.toLowerCase() === 'cookie')?.value;
}

const CASES = TESTED_STACKS.flatMap((each) =>
  [each, inBrowser(each, 'firefox')].flatMap((stack) => [
    { stack, isolation: 'context' as const },
    ...(IN_A_PROCESS_TOO.includes(each) ? [{ stack, isolation: 'process' as const }] : []),
  ]),
);

for (const { stack, isolation } of CASES) {
  const { protocol, lacksTickets } = stack;
  const hasTickets = !lacksTickets;

  describe(`visits by ${stack.stack}, a ${isolation} each:`, () => {
    let loads = new Map<VisitKind, Loaded>();
    before(async () => {
      loads = await visitByEveryKind(stack, isolation);
    });
    const loadOf = (kind: VisitKind) => loads.get(kind) as Loaded;

    test('open observed connections to both hosts, by the protocol, for every kind but a reload', () => {
      for (const kind of kindsOf(stack).filter((each) => each !== 'reload')) {
        const { pageLoad, firstOfHost } = loadOf(kind);
        assert.equal(pageLoad.connections?.whole, true, kind);
        const transport = protocol === 'h3' ? 'quic' : 'tcp';
        assert.ok(pageLoad.connections.opened.every((each) => each.transport === transport));
        assert.ok(pageLoad.connections.opened.every((each) => each.tlsVersion === 'TLS 1.3'));
        const hosts = firstOfHost.map(({ host }) => host).sort();
        // On a repeat visit the second host gets no request: its image is in the cache.
        const expected = ['other.elsewhere.test', 'www.visits.test'].slice(
          kind === 'repeat' ? 1 : 0,
        );
        assert.deepEqual(hosts, expected, kind);
      }
    });

    test('make full handshakes, send no early data, and find nothing when cold', () => {
      const { pageLoad, har, firstOfHost } = loadOf('cold');
      for (const { offered, handshake } of firstOfHost) {
        assert.deepEqual([offered, handshake], ['full', 'full']);
      }
      assert.ok(pageLoad.connections?.opened.every(({ earlyData }) => earlyData === 'none'));
      assert.deepEqual(urlsOf(har, 'cache'), []);
      assert.equal(cookieOf(har), undefined);
      assert.ok(urlsOf(har, 'server').includes(`${MAIN}/first.gif`));
    });

    test('have only the tickets of the load before when resumed', {
      skip: !hasTickets,
    }, () => {
      const { pageLoad, har, firstOfHost } = loadOf('resumed');
      for (const { handshake } of firstOfHost) assert.equal(handshake, 'resumed');
      assert.deepEqual(urlsOf(har, 'cache'), []);
      assert.equal(cookieOf(har), undefined);
      assert.ok(urlsOf(har, 'server').includes(`${MAIN}/first.gif`));
      assert.equal(pageLoad.metrics.requests, IMAGES + 3);
    });

    test('have tickets, cache, cookies and storage of the load before when repeated', () => {
      const { har, firstOfHost } = loadOf('repeat');
      for (const { handshake } of firstOfHost) {
        assert.equal(handshake, hasTickets ? 'resumed' : 'full');
      }
      assert.deepEqual(urlsOf(har, 'cache').sort(), [...IMAGE_URLS, `${OTHER}/other.gif`].sort());
      assert.equal(cookieOf(har), 'visitor=7');
      assert.deepEqual(urlsOf(har, 'server').sort(), [`${MAIN}/`, `${MAIN}/again.gif`]);
    });

    test('request the document once more for a reload, over a connection of the first load if the protocol keeps any', () => {
      const { pageLoad, har, firstOfHost } = loadOf('reload');
      const document = mainDocumentOf(har)?.entry;
      const sent = document?.request.headers.find(({ name }) => /^cache-control$/i.test(name));
      // Firefox does not say that it reloads.
      assert.equal(sent?.value, stack.browser ? undefined : 'max-age=0');
      assert.equal(document?._fromCache, undefined);
      assert.equal(cookieOf(har), 'visitor=7');
      assert.deepEqual(urlsOf(har, 'cache').sort(), [...IMAGE_URLS, `${OTHER}/other.gif`].sort());
      assert.deepEqual(urlsOf(har, 'server').sort(), [`${MAIN}/`, `${MAIN}/again.gif`]);
      const { connections, metrics } = pageLoad;
      if (protocol === 'http/1.0') {
        assert.deepEqual([...new Set(connections?.opened.map((each) => each.handshake))], ['full']);
        assert.equal(firstOfHost.length, 1);
        assert.ok((metrics.connectMs ?? 0) > 0.1, `connect ${metrics.connectMs}`);
        assert.equal(connections?.opened.length, 2);
      } else {
        assert.deepEqual(connections?.opened, []);
        assert.equal(metrics.connectMs, null);
      }
    });

    test('send early data by QUIC with a ticket, and not by TCP here', () => {
      const expected = protocol === 'h3' ? 'accepted' : 'none';
      const kinds = hasTickets ? (['repeat', 'resumed'] as const) : (['repeat'] as const);
      for (const kind of kinds) {
        const { firstOfHost } = loadOf(kind);
        for (const { earlyData } of firstOfHost) assert.equal(earlyData, expected, kind);
      }
    });
  });
}
