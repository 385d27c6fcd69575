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

/** Findings of the checks about a load, if it were a cold one from this server. */
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
    returnProtocols: [],
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

test('rejects a load with another key exchange than servers were configured for', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const { pageLoad } = await loadOverPath(bench, { ...server, keyExchange: 'x25519mlkem768' });
      assert.equal(pageLoad.code, 'wrong-key-exchange', pageLoad.message ?? '');
      assert.match(pageLoad.message ?? '', / X25519, expected X25519MLKEM768/);
    }
  }));

test('rejects a load when the path loses packets without being requested to', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const requested = await loadOverPath(bench, server);
      assertOkOrSpoilt(requested.pageLoad, server.stack.stack);
      // Rare enough that a connection seldom loses its first packets repeatedly.
      const { pageLoad } = await loadOverPath(bench, server, { applied: { lossPercent: 8 } });
      assert.equal(pageLoad.outcome, 'invalid', pageLoad.message ?? '');
      assert.equal(pageLoad.code, 'path-disturbed');
      assert.match(pageLoad.message ?? '', /lost \d+; the condition/);
    }
  }));

test('rejects a load whose handshake took less than the requested path can', () =>
  withPathBench(RESOURCES, async (bench) => {
    for (const server of bench.servers) {
      const { pageLoad } = await loadOverPath(bench, server, {
        // Longer than any handshake on a busy machine.
        rttMs: 2000,
        applied: { rttMs: 10 },
      });
      assert.equal(pageLoad.code, 'no-handshake');
      assert.match(pageLoad.message ?? '', /expected at least (1800|3600)\.0 ms/);
    }
  }));

test('counts no load of a server that speaks HTTP/2 in place of the HTTP/3 one', () =>
  withPathBench(RESOURCES, async (bench) => {
    const h3 = serverOf(bench, 'lsquic-h3');
    const h2 = serverOf(bench, 'bun-h2');
    // QUIC is forced, so that nothing answers at all ...
    const forced = await loadOverPath(bench, { ...h2, stack: h3.stack });
    assert.equal(forced.pageLoad.outcome, 'failed');
    assert.equal(forced.pageLoad.protocol, 'h3');
    // ... and otherwise the result would be compared with the expected protocol.
    const loaded = await loadOverPath(bench, h2);
    const { code, message } = judgedAsCold(loaded, bench, { ...h2, stack: h3.stack });
    assert.equal(code, 'wrong-protocol');
    assert.match(message ?? '', /41 of 41 responses did not come by h3.*came by h2/);
  }));

describe('rejects as a cold load one with state of an earlier load:', () => {
  test('its cache, and its tickets', () =>
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
