import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { chainBytes, ensureCertificates } from '../../certs/certificates.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { kernelCongestionControls } from '../../network/kernel-congestion-control.ts';
import { withNetwork } from '../../network/network.ts';
import { USUAL_CONGESTION_CONTROL } from '../../records/congestion-control.ts';
import { readFairness } from '../../runner/fairness.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { STACKS } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { writeFixtureSite } from './site-fixture.ts';

const machine = readMachine();
const { python } = machine;

for (const congestionControl of kernelCongestionControls() ?? [USUAL_CONGESTION_CONTROL]) {
  test(`both ends of a path are read back as the path was asked to make them, with ${congestionControl}`, () =>
    readsBack(congestionControl));
}

async function readsBack(congestionControl: string) {
  const options = { python, hosts: 2, congestionControl, initcwnd: 32 };
  await withNetwork({ ...options, backend: 'auto' }, async (path) => {
    await path.apply(conditionOf({}));
    const { client, server } = await readFairness(path, {
      python,
      servers: [],
      certificateChainBytes: 0,
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
    assert.deepEqual(client.routes.value, ['10.89.0.0/16']);
    assert.deepEqual(server.routes.value, ['10.89.0.0/24']);
  });
}

test('a receive buffer asked for is what TCP begins with on both ends, and it may grow as before', async () => {
  const ends = { python, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  const buffersOf = (receiveBufferBytes: number | null) =>
    withNetwork({ ...ends, receiveBufferBytes, backend: 'auto' }, async (path) => {
      await path.apply(conditionOf({}));
      const { client, server } = await readFairness(path, {
        python,
        servers: [],
        certificateChainBytes: 0,
      });
      return [client, server].map(({ tcpReceiveBufferBytes }) => tcpReceiveBufferBytes.value);
    });
  const stock = await buffersOf(null);
  const asked = await buffersOf(1_048_576);
  for (const [end, buffer] of asked.entries()) {
    assert.deepEqual(buffer, { ...stock[end], initial: 1_048_576 });
  }
});

/** The comparison of the QUIC stack with its HTTP/2 twin before any load, with a TCP window of so many segments. */
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
        const certificateChainBytes = await chainBytes(host, certsFolder);
        const { pairs } = await readFairness(networkPath, {
          python,
          servers,
          certificateChainBytes,
        });
        assert.equal(pairs.length, 1);
        return pairs[0];
      });
    });
  });
}

test('QUIC and HTTP/2 differ in the initial window alone, and in nothing known when it is matched', async () => {
  const stock = await pairBeforeLoads(null);
  assert.equal(
    stock?.sentence,
    'not like for like: initial window (32 packets against 10 packets)',
  );
  const matched = await pairBeforeLoads(32);
  assert.equal(matched?.sentence, 'like for like in what is known before the first load');
  const buffer = matched?.properties.find(({ property }) => property === 'receiveBufferBytes');
  assert.match(buffer?.a ?? '', /^\d+ bytes$/);
});
