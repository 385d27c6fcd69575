import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { hostsOf } from '../../cache/manifest.ts';
import { ensureLeaves } from '../../certs/leaf.ts';
import type { ConnectionRecord } from '../../records/connection.ts';
import type { VisitKind } from '../../records/page-load.ts';
import type { Har } from '../../runner/har/har.ts';
import { mainDocumentOf } from '../../runner/har/main-document.ts';
import { readMachine } from '../../runner/machine.ts';
import { NOTHING_ADDED } from '../../runner/network/conditions.ts';
import { QUIET_RULE } from '../../runner/quiet/rule.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import { STACKS } from '../../runner/stacks.ts';
import { runTrial, type UnnumberedLoad } from '../../runner/trial.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { CHOICES } from './choices.ts';
import { loopbackAddresses, loopbackPath } from './loopback.ts';
import { type FixtureResource, writeFixtureSite } from './site-fixture.ts';

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

// Two hosts, more images than HTTP/1.1 has connections, a cookie, and a page that asks for something else when it has been
// seen before.
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
  pageLoad: UnnumberedLoad;
  har: Har;
  /** The first connection to each host, in the order of their handshakes. */
  firstOfHost: ConnectionRecord[];
}

/** The development server of 2018 gives no tickets, so that there is nothing to resume. */
const WITHOUT_TICKETS = ['flask-dev', 'flask-dev-h1'];

function kindsOf(stack: string): VisitKind[] {
  return WITHOUT_TICKETS.includes(stack)
    ? ['cold', 'repeat', 'reload']
    : ['cold', 'repeat', 'resumed', 'reload'];
}

/** One load of every kind, all from the same server: a ticket that outlived its browser would show. */
async function visitByEveryKind(stack: string): Promise<Map<VisitKind, Loaded>> {
  return withTemporaryFolder(async (folder) => {
    const siteFolder = path.join(folder, 'visits');
    const manifest = await writeFixtureSite(siteFolder, RESOURCES);
    const hosts = hostsOf(manifest);
    await ensureLeaves(hosts);
    const options = {
      machine: readMachine(),
      stacks: STACKS.filter((each) => each.stack === stack),
      site: 'visits',
      siteFolder,
      addresses: loopbackAddresses(hosts),
      enter: [],
      logsFolder: folder,
    };
    const loadOf = async (server: Server, visit: VisitKind): Promise<Loaded> => {
      let har: Har | null = null;
      const trial = {
        ...{ id: visit, site: 'visits', stack, visit },
        ...{ network: NOTHING_ADDED, networkSeed: 1, repetition: 1, block: 1, warmup: false },
      };
      const pageLoad = await runTrial(trial, manifest, server, null, {
        chromium: readMachine().chromium,
        timeoutS: 20,
        choices: { ...CHOICES, netLog: 'all', keepSecrets: true },
        quietRule: QUIET_RULE,
        versions: {},
        sitting: 'test',
        results: {
          async writeHar(id, written) {
            har = written;
            return id;
          },
        },
        path: loopbackPath,
      });
      assert.equal(pageLoad.outcome, 'ok', `${visit}: ${pageLoad.code}: ${pageLoad.message}`);
      assert.ok(har && pageLoad.connections);
      const byHost = Map.groupBy(pageLoad.connections.opened, ({ host }) => host);
      return { pageLoad, har, firstOfHost: [...byHost.values()].flatMap(([first]) => first ?? []) };
    };
    return withServers(options, async ([server]) => {
      assert.ok(server);
      const loads = new Map<VisitKind, Loaded>();
      for (const kind of kindsOf(stack)) loads.set(kind, await loadOf(server, kind));
      return loads;
    });
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

for (const { stack, protocol } of STACKS) {
  const hasTickets = !WITHOUT_TICKETS.includes(stack);
  // HTTP/1.0 is nothing that could be agreed on in a handshake.
  const agreedOn = protocol === 'http/1.0' ? 'http/1.1' : protocol;

  describe(`visits by ${stack}:`, () => {
    let loads = new Map<VisitKind, Loaded>();
    before(async () => {
      loads = await visitByEveryKind(stack);
    });
    const loadOf = (kind: VisitKind) => loads.get(kind) as Loaded;

    test('every kind but a reload has connections of its own, to both hosts, by the protocol, in a whole log', () => {
      for (const kind of kindsOf(stack).filter((each) => each !== 'reload')) {
        const { pageLoad, firstOfHost } = loadOf(kind);
        assert.deepEqual(pageLoad.connections?.reused, [], kind);
        assert.equal(pageLoad.connections?.whole, true, kind);
        assert.ok(pageLoad.connections.opened.every((each) => each.protocol === agreedOn));
        assert.ok(pageLoad.connections.opened.every((each) => each.tlsVersion === 'TLS 1.3'));
        const hosts = firstOfHost.map(({ host }) => host).sort();
        // On a repeat visit nothing is asked of the other host: its image is in the cache.
        const expected = ['other.elsewhere.test', 'www.visits.test'].slice(
          kind === 'repeat' ? 1 : 0,
        );
        assert.deepEqual(hosts, expected, kind);
      }
    });

    test('a cold one makes full handshakes, sends nothing along, and finds nothing', () => {
      const { pageLoad, har, firstOfHost } = loadOf('cold');
      for (const { handshake } of firstOfHost) assert.equal(handshake, 'full');
      assert.ok(pageLoad.connections?.opened.every(({ earlyData }) => earlyData === 'none'));
      assert.deepEqual(urlsOf(har, 'cache'), []);
      assert.equal(cookieOf(har), undefined);
      assert.ok(urlsOf(har, 'server').includes(`${MAIN}/first.gif`));
    });

    test('a resumed one has tickets, and nothing else of the load before', {
      skip: !hasTickets,
    }, () => {
      const { pageLoad, har, firstOfHost } = loadOf('resumed');
      for (const { handshake } of firstOfHost) assert.equal(handshake, 'resumed');
      assert.deepEqual(urlsOf(har, 'cache'), []);
      assert.equal(cookieOf(har), undefined);
      assert.ok(urlsOf(har, 'server').includes(`${MAIN}/first.gif`));
      assert.equal(pageLoad.traffic?.requests, IMAGES + 3);
    });

    test('a repeat one has tickets, cache, cookies and storage of the load before', () => {
      const { har, firstOfHost } = loadOf('repeat');
      for (const { handshake } of firstOfHost) {
        assert.equal(handshake, hasTickets ? 'resumed' : 'full');
      }
      assert.deepEqual(urlsOf(har, 'cache').sort(), [...IMAGE_URLS, `${OTHER}/other.gif`].sort());
      assert.equal(cookieOf(har), 'visitor=7');
      assert.deepEqual(urlsOf(har, 'server').sort(), [`${MAIN}/`, `${MAIN}/again.gif`]);
    });

    test('a reload asks for its document once more, over a connection of its first load if the protocol keeps any', () => {
      const { pageLoad, har, firstOfHost } = loadOf('reload');
      const document = mainDocumentOf(har)?.entry;
      const sent = document?.request.headers.find(({ name }) => /^cache-control$/i.test(name));
      assert.equal(sent?.value, 'max-age=0');
      assert.equal(document?._fromCache, undefined);
      assert.equal(cookieOf(har), 'visitor=7');
      assert.deepEqual(urlsOf(har, 'cache').sort(), [...IMAGE_URLS, `${OTHER}/other.gif`].sort());
      assert.deepEqual(urlsOf(har, 'server').sort(), [`${MAIN}/`, `${MAIN}/again.gif`]);
      const { connections, handshakes, timingsMs } = pageLoad;
      if (protocol === 'http/1.0') {
        assert.deepEqual(connections?.reused, []);
        assert.deepEqual([...new Set(connections?.opened.map((each) => each.handshake))], ['full']);
        assert.equal(firstOfHost.length, 1);
        assert.ok((timingsMs.connect ?? 0) > 0.1, `connect ${timingsMs.connect}`);
        // A machine that is very busy may be too slow to tell.
        assert.equal(handshakes?.tlsFull ?? 2, 2);
      } else {
        assert.ok(connections?.reused.some(({ host }) => host === 'www.visits.test'));
        assert.equal(timingsMs.connect, null);
      }
    });

    test('early data is what QUIC has with a ticket, and what TCP does not have here', () => {
      const expected = protocol === 'h3' ? 'accepted' : 'none';
      const kinds = hasTickets ? (['repeat', 'resumed'] as const) : (['repeat'] as const);
      for (const kind of kinds) {
        const { firstOfHost } = loadOf(kind);
        for (const { earlyData } of firstOfHost) assert.equal(earlyData, expected, kind);
      }
    });
  });
}
