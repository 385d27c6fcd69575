import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import type { Har } from '../../clients/har/har.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import { nameServerCommand } from '../../clients/name-server.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import { serverOf } from '../../experiments/measuring.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { Isolation } from '../../ground/records/run.ts';
import { inBrowser } from '../../ground/stack.ts';
import { STACKS } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import {
  loadOverPath,
  type MadeLoad,
  type PathBench,
  tryOverPath,
  withPathBench,
} from './path-bench.ts';
import { agentOf, childrenOf, type Process } from './processes.ts';
import type { FixtureResource } from './site-fixture.ts';
import { DUAL, HTTP1, LACKS_DUAL } from './stacks-by-protocol.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';
import { assertOkOrSpoilt } from './whole-run.ts';

const MAIN = 'https://www.discovery.test';
const OTHER = 'https://other.elsewhere.test';
/** Enough round trips for QUIC to be there before the last one begins. */
const SHEETS = 5;
const RTT_MS = 40;

const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: `<!doctype html><link rel="icon" href="data:,"><title>discovery</title><link rel="stylesheet" href="/1.css"><p>Some text.</p><img src="${OTHER}/a.gif">`,
  },
  ...Array.from(
    { length: SHEETS },
    (_, index): FixtureResource => ({
      url: `${MAIN}/${index + 1}.css`,
      type: 'stylesheet',
      headers: [
        ['content-type', 'text/css'],
        ['cache-control', 'max-age=3600'],
      ],
      body: index + 1 < SHEETS ? `@import "/${index + 2}.css";` : 'p { color: green }',
    }),
  ),
  {
    url: `${OTHER}/a.gif`,
    type: 'image',
    headers: [['content-type', 'image/gif']],
    body: Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
  },
];

type Loaded = { pageLoad: MadeLoad; har: Har };

function load(bench: PathBench, stack: string, visit: VisitKind): Promise<Loaded> {
  return loadOverPath(bench, serverOf(stack, bench.servers), { visit, rttMs: RTT_MS });
}

/** Responses over the network, in order of their start. */
function versionsIn(har: Har): string[] {
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  return sent.map(({ response }) => response.httpVersion);
}

function assertOk({ pageLoad }: { pageLoad: MadeLoad }): void {
  assertOkOrSpoilt(pageLoad, pageLoad.arm);
}

/** The HAR's protocol change is that of the record, and true. */
function assertConsistent({ pageLoad, har }: Loaded): void {
  const { versions, changedOver } = pageLoad.details ?? {};
  assert.equal(versions?.document, mainDocumentOf(har)?.entry.response.httpVersion);
  const counted = Map.groupBy(versionsIn(har), (version) => version);
  assert.deepEqual(
    versions?.responses,
    Object.fromEntries([...counted].map(([version, { length }]) => [version, length])),
  );
  const marked = har.log.entries.filter(({ _changedOver }) => _changedOver);
  assert.deepEqual(
    marked.map(({ request }) => request.url),
    changedOver ? [changedOver.url] : [],
  );
  const [first] = marked;
  if (!first || !changedOver) return;
  assert.match(
    har.log.pages[0]?.comment ?? '',
    new RegExp(`from request ${changedOver.request} on`),
  );
  const { host } = new URL(changedOver.url);
  const earlier = har.log.entries
    .slice(0, har.log.entries.indexOf(first))
    .filter(({ request }) => new URL(request.url).host === host);
  assert.equal(first.response.httpVersion, 'h3');
  assert.deepEqual(new Set(earlier.map(({ response }) => response.httpVersion)), new Set(['h2']));
}

const CASES = STACKS_HERE.filter(({ protocol }) => offersBoth(protocol)).flatMap((each) =>
  [each, inBrowser(each, 'firefox')].flatMap((stack) => [
    { stack, isolation: 'context' as Isolation },
    ...(each.stack === DUAL ? [{ stack, isolation: 'process' as Isolation }] : []),
  ]),
);

const KINDS = ['discovered', 'forced', 'https-record', 'repeat', 'cold'] as const;

/**
 * Whether HTTP/3 came as soon as possible: browsers let it race TCP and do not wait long for a
 * record, so that on a busy machine a load may begin by HTTP/2 or end before QUIC is there.
 */
function hasSoonest(kind: (typeof KINDS)[number], { pageLoad }: Loaded): boolean {
  const { versions, changedOver } = pageLoad.details ?? {};
  return kind === 'cold' ? Boolean(changedOver) : versions?.document === 'h3';
}

/** Maximum number of loads until one does. */
const MOST_TRIES = 5;

for (const { stack, isolation } of CASES) {
  describe(`visits to ${stack.stack}, a ${isolation} each:`, () => {
    const loads = new Map<VisitKind, Loaded>();
    // The cold one comes last: it would show any state that outlived the rest.
    before(() =>
      withPathBench(
        RESOURCES,
        async (bench) => {
          for (const kind of KINDS) {
            for (let tries = 0; tries < MOST_TRIES; tries++) {
              const loaded = await load(bench, stack.stack, kind);
              loads.set(kind, loaded);
              if (hasSoonest(kind, loaded)) break;
            }
          }
        },
        {
          stacks: [stack],
          choices: { isolation },
        },
      ),
    );
    const loadOf = (kind: VisitKind) => loads.get(kind) as Loaded;

    test('are each ok, with a HAR that matches the record', () => {
      for (const kind of KINDS) {
        assertOk(loadOf(kind));
        assertConsistent(loadOf(kind));
      }
    });

    test('begin by HTTP/2 when cold, know of no HTTPS record, and switch on the way', () => {
      const { pageLoad, har } = loadOf('cold');
      const { versions, changedOver, names, earlier } = pageLoad.details ?? {};
      assert.equal(versions?.document, 'h2');
      assert.equal(versions.advertisedH3, true);
      assert.equal(earlier, null);
      // At least an address query and an empty record for each of both hosts.
      assert.ok((names?.requested ?? 0) >= 4, `${names?.requested} questions`);
      assert.equal(names?.httpsRecords, 0);
      assert.ok(changedOver, 'it changes over');
      assert.ok(changedOver.atMs >= 2 * RTT_MS, `after ${changedOver.atMs} ms`);
      const last = har.log.entries.find(({ request }) => request.url === `${MAIN}/${SHEETS}.css`);
      assert.equal(last?.response.httpVersion, 'h3');
    });

    test('use HTTP/3 alone when forced', () => {
      const { pageLoad, har } = loadOf('forced');
      assert.deepEqual(new Set(versionsIn(har)), new Set(['h3']));
      assert.ok(pageLoad.connections?.opened.every(({ transport }) => transport === 'quic'));
    });

    test('begin by HTTP/3 when discovered, after an earlier load that began by HTTP/2', () => {
      const { pageLoad } = loadOf('discovered');
      const { earlier, versions, names } = pageLoad.details ?? {};
      assert.equal(earlier?.document, 'h2');
      assert.equal(earlier.advertisedH3, true);
      assert.equal(versions?.document, 'h3');
      assert.equal(names?.httpsRecords, 0);
      assert.equal(pageLoad.metrics.requests, RESOURCES.length);
    });

    test('begin by HTTP/3 with an HTTPS record, even as the first', () => {
      const { versions, names, earlier } = loadOf('https-record').pageLoad.details ?? {};
      assert.equal(versions?.document, 'h3');
      assert.ok((names?.httpsRecords ?? 0) >= 2, `${names?.httpsRecords} records`);
      assert.equal(earlier, null);
    });

    test('begin by HTTP/3 when repeated, with the sheets in the cache', () => {
      const { pageLoad, har } = loadOf('repeat');
      assert.equal(pageLoad.details?.versions?.document, 'h3');
      const cached = har.log.entries.filter(({ _fromCache }) => _fromCache !== undefined);
      // Firefox looks for a sheet when it scans the text, and when it needs it.
      assert.equal(new Set(cached.map(({ request }) => request.url)).size, SHEETS);
    });
  });
}

test('use the protocol of stacks with one version in every visit', (t) =>
  withPathBench(
    RESOURCES,
    async (bench) => {
      reportSkippedStacks(t);
      for (const { stack } of bench.servers) {
        for (const kind of ['forced', 'discovered', 'https-record'] as const) {
          const loaded = await load(bench, stack.stack, kind);
          assertOk(loaded);
          assert.deepEqual(new Set(versionsIn(loaded.har)), new Set([stack.protocol]));
          assert.equal(loaded.pageLoad.details?.names, null);
          assert.equal(loaded.pageLoad.details?.changedOver, null);
        }
      }
    },
    { stacks: STACKS.filter(({ stack }) => ['lsquic-h3', 'bun-h2', HTTP1.stack].includes(stack)) },
  ));

describe('a name server', { skip: LACKS_DUAL }, () => {
  const SETTING = { stacks: STACKS.filter(({ stack }) => stack === DUAL) };

  /** Makes a load, and passes on the process of the name server, which runs since then. */
  async function nameServerOf(bench: PathBench): Promise<Process> {
    const agent = agentOf(process.pid);
    const known = new Set(childrenOf(agent).map(({ pid }) => pid));
    assertOk(await load(bench, DUAL, 'cold'));
    const [nameServer, ...rest] = childrenOf(agent).filter(({ pid }) => !known.has(pid));
    assert.ok(nameServer);
    assert.deepEqual(rest, []);
    return nameServer;
  }

  for (const [what, signal, reason] of [
    ['that was killed', 'SIGKILL', /name server at 127\.0\.0\.1 has ended/],
    ['that does not answer', 'SIGSTOP', /name server at 127\.0\.0\.1 did not answer within/],
  ] as const) {
    test(`${what} fails the load, in words, and the next load has another one`, () =>
      withPathBench(
        RESOURCES,
        async (bench) => {
          const { pid } = await nameServerOf(bench);
          process.kill(pid, signal);
          const server = serverOf(DUAL, bench.servers);
          const { pageLoad } = await tryOverPath(bench, server, { visit: 'discovered' });
          assert.equal(pageLoad.outcome, 'failed');
          assert.equal(pageLoad.code, 'names-unanswered');
          assert.match(pageLoad.message ?? '', reason);
          assertOk(await load(bench, DUAL, 'https-record'));
          const agent = agentOf(process.pid);
          assert.ok(
            childrenOf(agent).every((each) => each.pid !== pid),
            'it is gone',
          );
        },
        SETTING,
      ));
  }

  test('that ends when the load has begun fails it too', () =>
    withPathBench(
      RESOURCES,
      async (bench) => {
        const { pid } = await nameServerOf(bench);
        const { names } = bench.networkPath;
        const dying: PathBench = {
          ...bench,
          networkPath: {
            ...bench.networkPath,
            names: {
              ...names,
              async serve(served) {
                await names.serve(served);
                process.kill(pid, 'SIGKILL');
              },
            },
          },
        };
        const server = serverOf(DUAL, bench.servers);
        const { pageLoad } = await tryOverPath(dying, server, { visit: 'cold' });
        assert.equal(pageLoad.code, 'names-unanswered', pageLoad.message ?? '');
      },
      SETTING,
    ));
});

test('replaces files of /etc for a command alone, whether or not its user may mount', async () => {
  const hosts = readFileSync('/etc/hosts', 'utf8');
  const withoutRight = ['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin'];
  for (const prefix of process.getuid?.() === 0 ? [[], withoutRight] : [[]]) {
    await withTemporaryFolder(async (folder) => {
      const [program = '', ...args] = [...prefix, ...(await nameServerCommand(folder)), 'cat'];
      const { stdout, stderr } = spawnSync(program, [...args, '/etc/resolv.conf', '/etc/hosts']);
      assert.match(
        `${stdout}`,
        /^nameserver 127\.0\.0\.1\n[\s\S]*\n127\.0\.0\.1 localhost\n$/,
        `${stderr}`,
      );
    });
  }
  assert.equal(readFileSync('/etc/hosts', 'utf8'), hosts);
});
