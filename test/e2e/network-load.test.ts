import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { loadOverPath, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { settle } from './userspace-path.ts';

const HTML: [string, string][] = [['content-type', 'text/html']];

/** Slope of the least-squares line. */
function slope(points: [x: number, y: number][]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

// The line of every sound test bed: one round trip each for TCP, for TLS 1.3 and for the request,
// and with QUIC one for the handshake and one for the request. Any other value is a fault of the
// test bed.
test('needs 2 round trips for the first byte by h3 and 3 by h2 and http/1.1', async (t) => {
  // Not 0: work that browser and server otherwise do while packets are in flight would then count
  // in the first byte as well.
  const RTTS_MS = [20, 50, 100, 150];
  const LOADS = { least: 3, most: 14 };
  const resources: FixtureResource[] = [
    {
      url: 'https://www.round-trips.test/',
      type: 'document',
      headers: HTML,
      body: '<!doctype html><link rel="icon" href="data:,"><title>small</title><p>A small page.',
    },
  ];
  await withPathBench(resources, async (bench) => {
    const expected = { 'lsquic-h3': 2, 'bun-h2': 3, 'flask-h1': 3 } as Record<string, number>;
    const firstBytesMs = new Map(
      bench.servers.map(({ stack }) => [stack.stack, new Map<number, number[]>()]),
    );
    // In turns, so that a slow period of the machine does not fall on one delay alone and tilt the
    // line. The fastest load shows the network's time: disturbances only add to it.
    const pointsOf = (stack: string) =>
      [...(firstBytesMs.get(stack) ?? [])].map(([rttMs, values]): [number, number] => [
        rttMs,
        Math.min(...values),
      ]);
    const isRight = (stack: string) =>
      Math.abs(slope(pointsOf(stack)) - (expected[stack] ?? 0)) <= 0.1;
    // More loads only reduce disturbances: a wrong number of round trips shows in every load.
    for (let repetition = 0; repetition < LOADS.most; repetition++) {
      if (repetition >= LOADS.least && Object.keys(expected).every(isRight)) break;
      for (const rttMs of RTTS_MS) {
        for (const server of bench.servers) {
          const { pageLoad } = await loadOverPath(bench, server, { rttMs });
          assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
          const byRtt = firstBytesMs.get(server.stack.stack);
          byRtt?.set(rttMs, [...(byRtt.get(rttMs) ?? []), pageLoad.metrics.firstByteMs ?? 0]);
        }
      }
    }
    assert.deepEqual([...firstBytesMs.keys()].sort(), Object.keys(expected).sort());
    for (const stack of firstBytesMs.keys()) {
      const points = pointsOf(stack);
      const roundTrips = slope(points);
      t.diagnostic(
        `${stack}: ${roundTrips.toFixed(3)} round trips; first byte ${points.map(([x, y]) => `${y.toFixed(1)} ms at ${x}`).join(', ')}`,
      );
      assert.ok(isRight(stack), `${stack}: ${roundTrips} round trips, not ${expected[stack]}`);
    }
  });
});

test('lets no packet of a page load leave: there is no other device, no other route, and every packet is counted', async () => {
  const resources: FixtureResource[] = [
    {
      url: 'https://www.leak.test/',
      type: 'document',
      headers: HTML,
      // An address that is reserved for documentation, and a name.
      body: `<!doctype html><link rel="icon" href="data:,">
<img src="https://192.0.2.1/leak.png"><img src="https://example.com/leak.png">`,
    },
  ];
  await withPathBench(
    resources,
    async (bench) => {
      const { agent } = bench.networkPath;
      const devices = async (namespace: 'client' | 'server') =>
        (JSON.parse(await agent.run(namespace, ['ip', '-j', 'link'])) as { ifname: string }[]).map(
          ({ ifname }) => ifname,
        );
      for (const namespace of ['client', 'server'] as const) {
        assert.deepEqual(await devices(namespace), ['lo', 'path0'], namespace);
        const routes = JSON.parse(await agent.run(namespace, ['ip', '-j', 'route'])) as {
          dst: string;
        }[];
        assert.ok(routes.length > 0);
        assert.ok(
          routes.every(({ dst }) => dst.startsWith('198.18.')),
          JSON.stringify(routes),
        );
      }
      /** Packets that have left the client, and those of them that were never sent. */
      const sent = async () => {
        const said = await agent.run('client', ['cat', '/proc/net/dev', '/proc/net/snmp']);
        const device = /path0:(.+)/.exec(said)?.[1]?.trim().split(/\s+/).map(Number) ?? [];
        const [names, values] = [...said.matchAll(/^Icmp: (.+)$/gm)].map(([, line = '']) =>
          line.split(' '),
        );
        // The kernel's replies after a connection's end belong to no load.
        const answers = Number(values?.[names?.indexOf('OutMsgs') ?? -1]);
        return { packets: (device[9] ?? Number.NaN) - answers, dropped: device[11] };
      };
      /** The same with the link's counts, at a moment without traffic. */
      const counted = async () => {
        for (;;) {
          const before = await sent();
          const { toServer } = await bench.networkPath.count();
          if (isDeepStrictEqual(await sent(), before)) return { ...before, toServer };
        }
      };
      for (const server of bench.servers) {
        const before = await counted();
        const { pageLoad, har } = await loadOverPath(bench, server);
        await settle(bench.networkPath);
        const after = await counted();
        const failed = har.log.entries.filter(({ response }) => response.status === 0);
        assert.equal(failed.length, 2, JSON.stringify(failed.map(({ request }) => request.url)));
        const reasons = failed.map(({ response }) => response._error);
        assert.ok(
          reasons.every((reason) => /NAME_NOT_RESOLVED/.test(reason ?? '')),
          reasons.join(),
        );
        // The link saw exactly the browser's packets; closing its connections is no part of the
        // load.
        const { packets } = after.toServer;
        assert.equal(after.packets - before.packets, packets);
        assert.ok((pageLoad.path?.toServer.packets ?? 0) > 3);
        assert.ok((pageLoad.path?.toServer.packets ?? 0) <= packets);
        assert.equal(after.dropped, 0);
      }
      // A browser that has ended sends nothing any more.
    },
    { choices: { isolation: 'process' } },
  );
});
