import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostsOf } from '../../cache/manifest.ts';
import { bindChecks, type Judgement, judgeAttempt } from '../../experiments/checks.ts';
import { CHECKS } from '../../experiments/page-load/checks/index.ts';
import { NOTHING_ADDED } from '../../network/conditions.ts';
import type { Server } from '../../runner/servers.ts';
import { CHOICES } from './choices.ts';
import { loadOverPath, type PathBench, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { assertOkOrSpoilt } from './whole-run.ts';

const MAIN = 'https://www.invalid.test';
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const GIF: FixtureResource['headers'] = [
  ['content-type', 'image/gif'],
  ['cache-control', 'max-age=3600'],
];

const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: `<!doctype html><link rel="icon" href="data:,"><title>invalid</title><p>Text.</p>
${Array.from({ length: 40 }, (_, index) => `<img src="/${index}.gif">`).join('')}`,
  },
  ...Array.from({ length: 40 }, (_, index) => ({
    url: `${MAIN}/${index}.gif`,
    type: 'image' as const,
    headers: GIF,
    body: PIXEL,
  })),
];

function serverOf({ servers }: PathBench, name: string): Server {
  const server = servers.find(({ stack }) => stack.stack === name);
  assert.ok(server);
  return server;
}

/** What the checks say of a load, were it a cold one from this server. */
function judgedAsCold(
  { pageLoad, har }: Awaited<ReturnType<typeof loadOverPath>>,
  { manifest }: PathBench,
  { stack, origins }: Server,
): Judgement {
  assert.ok(pageLoad.path);
  const observed = {
    ...pageLoad,
    har,
    otherBytes: [],
    path: pageLoad.path,
    time: { longestStallMs: 0, clocksApartMs: 0 },
    earlier: null,
    backBy: [],
    names: null,
    loadedMs: null,
  };
  const expected = {
    manifest,
    protocol: stack.protocol,
    visit: 'cold' as const,
    choices: CHOICES,
    keyExchange: 'x25519' as const,
    network: NOTHING_ADDED,
    origins,
  };
  return judgeAttempt(bindChecks(CHECKS, observed, expected), observed, expected);
}

test('a load is invalid whose keys were exchanged otherwise than servers were asked to', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const { pageLoad } = await loadOverPath(bench, { ...server, keyExchange: 'x25519mlkem768' });
      assert.equal(pageLoad.code, 'wrong-key-exchange', pageLoad.message ?? '');
      assert.match(pageLoad.message ?? '', / X25519, expected X25519MLKEM768/);
    }
  }));

test('a load is invalid when the path loses packets that nobody asked it to', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const asked = await loadOverPath(bench, server);
      assertOkOrSpoilt(asked.pageLoad, server.stack.stack);
      // Few enough that a connection whose first packets are lost time and again stays rare.
      const { pageLoad } = await loadOverPath(bench, server, { applied: { lossPercent: 8 } });
      assert.equal(pageLoad.outcome, 'invalid', pageLoad.message ?? '');
      assert.equal(pageLoad.code, 'path-disturbed');
      assert.match(pageLoad.message ?? '', /lost \d+; the condition/);
    }
  }));

test('a load is invalid when its handshake took less than the path asked for can', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const { pageLoad } = await loadOverPath(bench, server, {
        // So long that no handshake of a machine that is busy takes it.
        rttMs: 2000,
        applied: { rttMs: 10 },
      });
      assert.equal(pageLoad.code, 'no-handshake');
      assert.match(pageLoad.message ?? '', /expected at least (1800|3600)\.0 ms/);
    }
  }));

test('a server that speaks HTTP/2 in the place of the HTTP/3 one gives no load that counts', () =>
  withPathBench(RESOURCES, async (bench) => {
    const h3 = serverOf(bench, 'lsquic-h3');
    const h2 = serverOf(bench, 'bun-h2');
    // QUIC is forced, so that nothing answers at all ...
    const forced = await loadOverPath(bench, { ...h2, stack: h3.stack });
    assert.equal(forced.pageLoad.outcome, 'failed');
    assert.equal(forced.pageLoad.protocol, 'h3');
    // ... and were it not, what came would be judged by what it was to be.
    const loaded = await loadOverPath(bench, h2);
    const { code, message } = judgedAsCold(loaded, bench, { ...h2, stack: h3.stack });
    assert.equal(code, 'wrong-protocol');
    assert.match(message ?? '', /41 of 41 responses did not come by h3.*came by h2/);
  }));

describe('a load that knew of an earlier one is invalid as a cold one:', () => {
  test('by its cache, and by its tickets', () =>
    withPathBench(RESOURCES, async (bench) => {
      assert.deepEqual(hostsOf(bench.manifest), ['www.invalid.test']);
      for (const server of bench.servers.filter(({ stack }) => !stack.lacksTickets)) {
        for (const [visit, codes] of [
          ['repeat', ['from-cache']],
          ['resumed', ['resumed', 'early-data']],
        ] as const) {
          const loaded = await loadOverPath(bench, server, { visit });
          assertOkOrSpoilt(loaded.pageLoad, `${server.stack.stack}, ${visit}`);
          const judgement = judgedAsCold(loaded, bench, server);
          assert.equal(judgement.outcome, 'invalid');
          assert.ok(
            (codes as readonly string[]).includes(judgement.code ?? ''),
            judgement.code ?? '',
          );
        }
      }
    }));
});
