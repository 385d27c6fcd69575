import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import type { UdpTreatment } from '../../ground/records/network.ts';
import { inBrowser, type Stack, serverStackOf } from '../../ground/stack.ts';
import { startChild } from '../../ground/system/child-process.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { NOTHING_ADDED, type SeededCondition } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import type { Path } from '../../network/path.ts';
import type { Server } from '../../runner/servers.ts';
import { STACKS } from '../../servers/index.ts';
import { readCapture } from '../pcapng.ts';
import { loadOverPath, type PathBench, tryOverPath, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { DUAL, LACKS_DUAL } from './stacks-by-protocol.ts';
import { PYTHON } from './userspace-path.ts';

const BLOCKED: UdpTreatment = { treatment: 'blocked', kbps: null };
const REJECTED: UdpTreatment = { treatment: 'rejected', kbps: null };
const THROTTLED: UdpTreatment = { treatment: 'throttled', kbps: 1000 };
const RTT_MS = 30;
const PROGRAM = path.join(import.meta.dirname, 'clients', 'datagrams.py');

interface Sent {
  echoed: number;
  /** Duration of the sending. */
  sentS: number;
  /** Errors reported to the sender of datagrams. */
  errors: string[];
  /** Whether DNS's port and TCP answered. */
  dns: boolean;
  tcp: boolean;
}

interface Datagrams {
  count: number;
  intervalMs: number;
  bytes: number;
}

const SLOWLY: Datagrams = { count: 20, intervalMs: 20, bytes: 100 };

/**
 * Provides a sender of datagrams through a path to a program at its far end that is independent of
 * the bench.
 */
async function withEcho(
  { agent }: Path,
  use: (send: (datagrams: Datagrams) => Promise<Sent>) => Promise<void>,
): Promise<void> {
  const address = addressOfHost(0);
  const [command = '', ...args] = agent.enter('server');
  const server = startChild(command, [...args, PYTHON, PROGRAM, 'serve', address]);
  try {
    assert.ok(server.process.stdout);
    const said = createInterface(server.process.stdout)[Symbol.asyncIterator]();
    const ports = JSON.parse(String((await said.next()).value)) as number[];
    await use(async ({ count, intervalMs, bytes }) => {
      const numbers = [...ports, count, intervalMs, bytes].map(String);
      return JSON.parse(
        await agent.run('client', [PYTHON, PROGRAM, 'send', address, ...numbers]),
      ) as Sent;
    });
  } finally {
    await server.stop(1000);
  }
}

test('applies a treatment to UDP as any program observes it, to nothing else, and only as long as requested', async () => {
  const made = { python: PYTHON, backend: 'auto', hosts: 1, congestionControl: 'cubic' } as const;
  await withNetwork({ ...made, initcwnd: null }, (networkPath) =>
    withEcho(networkPath, async (send) => {
      const over = async (udp: UdpTreatment | undefined, datagrams = SLOWLY) => {
        const condition: SeededCondition = { ...NOTHING_ADDED, rttMs: RTT_MS, seed: 1 };
        await networkPath.apply({ ...condition, ...(udp && { udp }) });
        const sent = await send(datagrams);
        const { toServer, toClient } = await networkPath.count();
        assert.deepEqual([sent.dns, sent.tcp], [true, true]);
        assert.equal(toServer.queueDrops + toClient.queueDrops, 0);
        assert.equal(toServer.lost + toClient.lost, 0);
        return { ...sent, toServer, toClient };
      };

      const free = await over(undefined);
      assert.deepEqual([free.echoed, free.errors], [SLOWLY.count, []]);
      assert.equal(free.toServer.udpDropped, 0);

      const blocked = await over(BLOCKED);
      assert.deepEqual([blocked.echoed, blocked.errors], [0, []]);
      assert.equal(blocked.toServer.udpDropped, SLOWLY.count);

      const rejected = await over(REJECTED);
      assert.deepEqual([rejected.echoed, rejected.errors], [0, ['EHOSTUNREACH']]);
      assert.ok((rejected.toServer.udpDropped ?? 0) > 0);

      // 8 Mbit/s for a second, or longer on a busy machine: the passed bytes are rate times time,
      // plus the burst.
      const throttled = await over(THROTTLED, { count: 1000, intervalMs: 1, bytes: 958 });
      const { echoed, sentS } = throttled;
      assert.ok(echoed > 100 && echoed < 50 + 125 * sentS, `${echoed} echoes in ${sentS} s`);
      assert.deepEqual(throttled.errors, []);
      const { udpDropped = 0, packets } = throttled.toServer;
      const mostPassed = 75 + 125 * sentS;
      assert.ok(udpDropped > 1000 - mostPassed, `${udpDropped} dropped in ${sentS} s`);
      assert.ok(udpDropped + packets >= 1000, `${udpDropped}, ${packets}`);

      assert.equal((await over(undefined)).echoed, SLOWLY.count);
    }),
  );
});

const RESOURCES: FixtureResource[] = [
  {
    url: 'https://www.blocked.test/',
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: '<!doctype html><link rel="icon" href="data:,"><title>blocked</title><p>Some text.',
  },
];

for (const browser of ['chromium', 'firefox'] as const) {
  const armOf = (stack: Stack) => (browser === 'firefox' ? inBrowser(stack, browser) : stack);

  function withBench(use: (bench: PathBench) => Promise<void>, choices = {}): Promise<void> {
    const stacks = STACKS.filter(({ stack }) => ['lsquic-h3', DUAL].includes(stack)).map(armOf);
    return withPathBench(RESOURCES, use, { stacks, choices });
  }

  const serverBy = (name: string, { servers }: PathBench): Server => {
    const server = servers.find(({ stack }) => serverStackOf(stack) === name);
    assert.ok(server);
    return server;
  };

  /** Whether the browser tries HTTP/3 as soon as a response advertises it, also when it has failed before. */
  const usesAtOnce = browser === 'firefox';

  describe(`over a network that blocks UDP, in ${browser}`, () => {
    test('skips QUIC-only stacks, whose loads would fail', () =>
      withBench(async (bench) => {
        const server = serverBy('lsquic-h3', bench);
        const { pageLoad } = await tryOverPath(bench, server, { network: { udp: BLOCKED } });
        assert.deepEqual([pageLoad.outcome, pageLoad.code], ['unsupported', 'udp-blocked']);
        assert.match(pageLoad.message ?? '', /the network udp-blocked /);
        // The path blocks UDP without being requested to.
        const requested = await tryOverPath(bench, server, { applied: { udp: BLOCKED } });
        assert.deepEqual(
          [requested.pageLoad.outcome, requested.pageLoad.code],
          // Firefox waits longer for QUIC than a load may take.
          ['failed', browser === 'chromium' ? 'navigation-failed' : 'timeout'],
        );
      }));

    test(
      'ends a page of a server with both versions by HTTP/2, and counts and captures its datagrams',
      { skip: LACKS_DUAL },
      () =>
        withBench(
          async (bench) => {
            const server = serverBy(DUAL, bench);
            for (const udp of [BLOCKED, REJECTED]) {
              for (const visit of ['cold', 'discovered', 'https-record', 'h3-used'] as const) {
                const network = { udp, rttMs: RTT_MS };
                const { pageLoad } = await loadOverPath(bench, server, { visit, network });
                const what = `${udp.treatment}, ${visit}: ${pageLoad.message}`;
                assert.equal(pageLoad.outcome, 'ok', what);
                assert.deepEqual(pageLoad.details?.versions?.responses, { h2: 1 }, what);
                const dropped = pageLoad.path?.toServer.udpDropped ?? 0;
                // A host whose only request came before it advertised HTTP/3 used it for nothing.
                assert.equal(dropped > 0, visit !== 'cold' || usesAtOnce, `${what}: ${dropped}`);
                const file = pageLoad.files.packets;
                assert.ok(file, what);
                const capture = readCapture(
                  await readFile(path.join(bench.folder, path.basename(file))),
                );
                const kept = capture.packets.filter(({ comments }) =>
                  comments.some((comment) => comment.startsWith('dropped: UDP')),
                );
                if (bench.networkPath.backend === 'userspace')
                  assert.equal(kept.length, dropped, what);
              }
            }
          },
          { packets: 'all' },
        ),
    );

    test('ends the next visit by HTTP/2 after HTTP/3 has failed once', { skip: LACKS_DUAL }, () =>
      withBench(async (bench) => {
        const server = serverBy(DUAL, bench);
        const network = { udp: BLOCKED, rttMs: RTT_MS };
        const { pageLoad } = await loadOverPath(bench, server, { visit: 'h3-broken', network });
        assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
        const [, worked, failed] = pageLoad.details?.returnProtocols ?? [];
        assert.ok(worked?.includes('h3') && failed?.every((by) => by === 'h2'), `${failed}`);
        assert.deepEqual(pageLoad.details?.versions?.responses, { h2: 1 });
        assert.equal((pageLoad.path?.toServer.udpDropped ?? 0) > 0, usesAtOnce);
      }),
    );

    test(
      'makes a load invalid if datagrams are dropped without request',
      { skip: LACKS_DUAL },
      () =>
        withBench(async (bench) => {
          const server = serverBy(DUAL, bench);
          const applied = { udp: REJECTED };
          const { pageLoad } = await loadOverPath(bench, server, {
            visit: 'https-record',
            applied,
          });
          assert.deepEqual([pageLoad.outcome, pageLoad.code], ['invalid', 'path-disturbed']);
        }),
    );
  });
}
