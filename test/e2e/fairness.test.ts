import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ensureCertificates } from '../../certs/certificates.ts';
import { exchangeComparer } from '../../experiments/page-load/compare-exchanges.ts';
import { DEFAULT_CONGESTION_CONTROL } from '../../ground/records/congestion-control.ts';
import { NOTHING_ADDED } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { kernelCongestionControls } from '../../network/kernel-congestion-control.ts';
import { withNetwork } from '../../network/network.ts';
import { type ConditionServers, readFairness } from '../../runner/fairness.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { STACKS } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import { writeFixtureSite } from './site-fixture.ts';

const machine = readMachine();
const { python } = machine;

for (const congestionControl of kernelCongestionControls() ?? [DEFAULT_CONGESTION_CONTROL]) {
  test(`reads both ends of a path as requested, with ${congestionControl}`, () =>
    readsBack(congestionControl));
}

async function readsBack(congestionControl: string) {
  const options = { python, hosts: 2, congestionControl, initcwnd: 32 };
  await withNetwork({ ...options, backend: 'auto' }, async (path) => {
    await path.apply(conditionOf({}));
    const { client, server } = await readFairness(path, {
      python,
      servers: [],
      client: 'chromium',
    });
    for (const end of [client, server]) {
      assert.equal(end.tcpCongestionControl.value, congestionControl);
      assert.equal(end.tcpInitialWindowSegments.value, 32);
      assert.equal(end.deviceMtuBytes.value, 1500);
      assert.equal(end.pathMtuBytes.value, 1500);
      assert.equal(end.tcpMssBytes.value, 1448);
      assert.equal(end.segmentsPerPacket.value, 1);
      assert.equal(end.queueingDiscipline.value, 'noqueue');
      assert.equal(end.tcpSlowStartAfterIdle.value, false);
      assert.equal(end.tcpSavesMetrics.value, false);
      assert.equal(end.tcpEcn.value, 0);
      assert.equal(end.ipv6.value, false);
      assert.ok((end.tcpReceiveBufferBytes.value?.maximum ?? 0) > 0);
      assert.ok((end.udpReceiveBufferLimitBytes.value ?? 0) > 0);
      assert.ok(end.offloads.value && 'tx-tcp-segmentation' in end.offloads.value);
    }
    assert.deepEqual(client.routes.value, ['198.18.0.0/16']);
    assert.deepEqual(server.routes.value, ['198.18.0.0/24']);
  });
}

test('begins TCP with the requested receive buffer on both ends, which may grow as before', async () => {
  const ends = { python, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  const buffersOf = (receiveBufferBytes: number | null) =>
    withNetwork({ ...ends, receiveBufferBytes, backend: 'auto' }, async (path) => {
      await path.apply(conditionOf({}));
      const { client, server } = await readFairness(path, {
        python,
        servers: [],
        client: 'chromium',
      });
      return [client, server].map(({ tcpReceiveBufferBytes }) => tcpReceiveBufferBytes.value);
    });
  const stock = await buffersOf(null);
  const requested = await buffersOf(1_048_576);
  for (const [end, buffer] of requested.entries()) {
    assert.deepEqual(buffer, { ...stock[end], initial: 1_048_576 });
  }
});

test('gives a condition its MTU and receive buffer, and resets the path after it', async () => {
  const ends = { python, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  await withNetwork({ ...ends, backend: 'auto' }, async (path) => {
    const read = async (conditions: ConditionServers[]) => {
      const { client, server } = await readFairness(path, {
        python,
        servers: [],
        conditions,
        client: 'chromium',
      });
      return [client, server].map((end) => [
        end.deviceMtuBytes.value,
        end.tcpMssBytes.value,
        end.tcpReceiveBufferBytes.value?.initial,
      ]);
    };
    await path.apply(conditionOf({}));
    const usual = await read([]);
    const network = { ...NOTHING_ADDED, mtuBytes: 1280, receiveBuffer: 65_536 };
    assert.deepEqual(await read([{ network, servers: [] }]), [
      [1280, 1228, 65_536],
      [1280, 1228, 65_536],
    ]);
    assert.equal(path.longestPacketBytes, 1280);
    await path.apply(conditionOf({}));
    assert.deepEqual(await read([]), usual);
  });
});

/**
 * Comparison of the QUIC stack with its HTTP/2 twin before any load, with this TCP window in
 * segments.
 */
async function pairBeforeLoads(initcwnd: number | null) {
  return withTemporaryFolder(async (folder) => {
    const host = 'www.fairness.test';
    const siteFolder = path.join(folder, 'site');
    await writeFixtureSite(siteFolder, [{ url: `https://${host}/`, type: 'document', body: 'x' }]);
    const certsFolder = await ensureCertificates(
      [host],
      { chain: 'realistic', origins: 'own' },
      path.join(folder, 'certs'),
    );
    const network = { python, hosts: 1, congestionControl: 'cubic', initcwnd };
    return withNetwork({ ...network, backend: 'auto' }, async (networkPath) => {
      await networkPath.apply(conditionOf({}));
      const options = {
        machine,
        siteFolder,
        certsFolder,
        stacks: STACKS.filter(({ stack }) => ['lsquic-h3', 'bun-h2'].includes(stack)),
        site: 'site',
        addresses: { [host]: addressOfHost(0) },
        enter: networkPath.agent.enter('server'),
        logsFolder: folder,
      };
      return withServers(options, async (servers) => {
        const { pairs } = await readFairness(networkPath, {
          python,
          servers,
          client: 'chromium',
        });
        assert.equal(pairs.length, 1);
        return pairs[0];
      });
    });
  });
}

/** Differences of the transports' senders, independent of settings. */
const OF_SENDERS =
  "window growth (per packet even when unused against per packet when half used with HyStart), back-off after a loss (to 0.8 against to 0.7), client's first receive window (15,728,640 bytes against 65,536 bytes), pacing (yes against no), response order (by priority against interleaved)";

test('reports differences of QUIC and HTTP/2 in their senders, and in the initial window if it is not matched', async () => {
  const stock = await pairBeforeLoads(null);
  assert.equal(
    stock?.sentence,
    `not like for like: initial window (32 packets against 10 packets), ${OF_SENDERS}`,
  );
  const matched = await pairBeforeLoads(32);
  assert.equal(matched?.sentence, `not like for like: ${OF_SENDERS}`);
  const buffer = matched?.properties.find(({ property }) => property === 'receiveBufferBytes');
  assert.match(buffer?.a ?? '', /^[\d,]+ bytes$/);
});

test('lists what loads received, and names a differing header field by its URL', async () => {
  const page = 'https://www.fairness.test/';
  const style = `${page}a.css`;
  const loadOf = (stack: string, cacheControl: string) =>
    withPathBench(
      [
        {
          url: page,
          type: 'document',
          headers: [
            ['content-type', 'text/html'],
            ['set-cookie', 'id=secret-4711'],
          ],
          body: '<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/a.css">x',
        },
        {
          url: style,
          type: 'stylesheet',
          headers: [
            ['content-type', 'text/css'],
            ['cache-control', cacheControl],
          ],
          body: 'body { color: blue }',
        },
      ],
      async (bench) => {
        const [server] = bench.servers;
        assert.ok(server);
        const { pageLoad } = await loadOverPath(bench, server);
        assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
        assert.doesNotMatch(JSON.stringify(pageLoad), /secret-4711/);
        return pageLoad as Observation;
      },
      { stacks: STACKS.filter((each) => each.stack === stack) },
    );
  const quic = await loadOf('lsquic-h3', 'max-age=60');
  const same = await loadOf('bun-h2', 'max-age=60');
  const other = await loadOf('bun-h2', 'no-cache');
  const compare = exchangeComparer([quic, same, other]);
  const against = (load: Observation) =>
    compare({ name: 'lsquic-h3', attempts: [quic] }, { name: 'bun-h2', attempts: [load] });
  const alike = against(same);
  assert.deepEqual(
    [alike.requests?.verdict, alike.responseHeaders?.verdict, alike.responseHeaders?.a],
    ['equal', 'equal', '2 responses'],
    JSON.stringify(alike),
  );
  const unlike = against(other);
  assert.equal(unlike.requests?.verdict, 'equal');
  assert.equal(
    unlike.responseHeaders?.difference,
    `cache-control of ${style}: "max-age=60" against "no-cache"`,
  );
});
