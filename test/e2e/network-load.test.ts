import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { ensureLeaves } from '../../certs/leaf.ts';
import type { PageLoad } from '../../records/page-load.ts';
import type { Trial } from '../../records/run.ts';
import { DEFAULTS } from '../../runner/defaults.ts';
import type { Har } from '../../runner/har/har.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { addressOfHost } from '../../runner/network/addresses.ts';
import { conditionName, NOTHING_ADDED } from '../../runner/network/conditions.ts';
import { withNetwork } from '../../runner/network/network.ts';
import type { Path } from '../../runner/network/path.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import { STACKS } from '../../runner/stacks.ts';
import { QUIET_RULE } from '../../runner/quiet/rule.ts';
import { runTrial } from '../../runner/trial.ts';
import { CHOICES } from './choices.ts';
import { type FixtureResource, withTemporaryFolder, writeFixtureSite } from './site-fixture.ts';

const HTML: [string, string][] = [['content-type', 'text/html']];

interface Bench {
  machine: Machine;
  manifest: SiteManifest;
  networkPath: Path;
  servers: Server[];
}

/** A small site, served by every stack at the far end of a path. */
async function withBench<T>(
  resources: FixtureResource[],
  use: (bench: Bench) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const machine = readMachine();
    const siteFolder = path.join(folder, 'site');
    const manifest = await writeFixtureSite(siteFolder, resources);
    const hosts = hostsOf(manifest);
    await ensureLeaves(hosts);
    await mkdir(path.join(folder, 'har'));
    const network = {
      backend: 'auto' as const,
      python: machine.python,
      hosts: hosts.length,
      congestionControl: DEFAULTS.congestionControl,
      initcwnd: null,
    };
    return withNetwork(network, (networkPath) =>
      withServers(
        {
          machine,
          stacks: STACKS,
          site: 'site',
          siteFolder,
          addresses: Object.fromEntries(hosts.map((host, index) => [host, addressOfHost(index)])),
          enter: networkPath.agent.enter('server'),
          logsFolder: folder,
        },
        (servers) => use({ machine, manifest, networkPath, servers }),
      ),
    );
  });
}

async function load(
  { machine, manifest, networkPath }: Bench,
  server: Server,
  rttMs: number,
): Promise<{ pageLoad: PageLoad; har: Har }> {
  const numbers = { ...NOTHING_ADDED, rttMs };
  const trial: Trial = {
    id: 'load',
    site: 'site',
    stack: server.stack.stack,
    network: { ...numbers, name: conditionName(numbers) },
    networkSeed: 1,
    repetition: 1,
    block: 1,
    warmup: false,
    visit: 'cold',
  };
  let har: Har | null = null;
  const pageLoad = await runTrial(trial, 1, manifest, server, null, {
    chromium: machine.chromium,
    timeoutS: 30,
    choices: CHOICES,
    quietRule: QUIET_RULE,
    versions: {},
    path: networkPath,
    results: {
      async writeHar(id, written) {
        har = written;
        return id;
      },
    },
  });
  assert.ok(har);
  return { pageLoad, har };
}

/** The quarter of the loads that went best says what the network takes: whatever disturbs a load only adds to it. */
function lowerQuartile(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 4)] as number;
}

/** Slope of the least-squares line. */
function slope(points: [x: number, y: number][]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

// The line that every sound test bed shows: one round trip each for TCP, for TLS 1.3 and for the request, and with QUIC
// one for the handshake and one for the request. Anything else would be a fault of ours.
test('the first byte costs 2 round trips by h3 and 3 by h2 and http/1.1', async (t) => {
  const RTTS_MS = [0, 20, 50, 100];
  const LOADS = 7;
  const resources: FixtureResource[] = [
    {
      url: 'https://www.round-trips.test/',
      type: 'document',
      headers: HTML,
      body: '<!doctype html><link rel="icon" href="data:,"><title>small</title><p>A small page.',
    },
  ];
  await withBench(resources, async (bench) => {
    const firstBytesMs = new Map(
      bench.servers.map(({ stack }) => [stack.stack, new Map<number, number[]>()]),
    );
    for (const rttMs of RTTS_MS) {
      for (let repetition = 0; repetition < LOADS; repetition++) {
        for (const server of bench.servers) {
          const { pageLoad } = await load(bench, server, rttMs);
          assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
          const byRtt = firstBytesMs.get(server.stack.stack);
          byRtt?.set(rttMs, [...(byRtt.get(rttMs) ?? []), pageLoad.timingsMs.firstByte ?? 0]);
        }
      }
    }
    const expected = { 'lsquic-h3': 2, 'bun-h2': 3, 'flask-h1': 3 } as Record<string, number>;
    for (const [stack, byRtt] of firstBytesMs) {
      const points = [...byRtt].map(([rttMs, values]): [number, number] => [
        rttMs,
        lowerQuartile(values),
      ]);
      const roundTrips = slope(points);
      t.diagnostic(
        `${stack}: ${roundTrips.toFixed(3)} round trips; first byte ${points.map(([x, y]) => `${y.toFixed(1)} ms at ${x}`).join(', ')}`,
      );
      const wanted = expected[stack] ?? 0;
      assert.ok(
        Math.abs(roundTrips - wanted) <= 0.1,
        `${stack}: ${roundTrips} round trips, not ${wanted}`,
      );
    }
  });
});

test('no packet of a page load can leave: there is no other device, no other route, and every packet is counted', async () => {
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
  await withBench(resources, async (bench) => {
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
        routes.every(({ dst }) => dst.startsWith('10.89.')),
        JSON.stringify(routes),
      );
    }
    const sent = async () => {
      const [device] = JSON.parse(
        await agent.run('client', ['ip', '-j', '-s', 'link', 'show', 'path0']),
      );
      return device.stats64.tx as { packets: number; dropped: number };
    };
    for (const server of bench.servers) {
      const before = await sent();
      const { pageLoad, har } = await load(bench, server, 0);
      const after = await sent();
      const failed = har.log.entries.filter(({ response }) => response.status === 0);
      assert.equal(failed.length, 2, JSON.stringify(failed.map(({ request }) => request.url)));
      const reasons = failed.map(({ response }) => response._error);
      assert.ok(
        reasons.every((reason) => /NAME_NOT_RESOLVED/.test(reason ?? '')),
        reasons.join(),
      );
      // What the browser sent is what the link saw, to the packet.
      assert.equal(after.packets - before.packets, pageLoad.path?.toServer.packets);
      assert.equal(after.dropped, 0);
    }
  });
});
