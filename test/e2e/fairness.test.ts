import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMachine } from '../../runner/machine.ts';
import { readFairness } from '../../runner/network/fairness.ts';
import { withNetwork } from '../../runner/network/network.ts';
import { conditionOf } from '../unit/runner/network/calibration/example.ts';

const { python } = readMachine();

test('both ends of a path are read back as the path was asked to make them', async () => {
  const options = { python, hosts: 2, congestionControl: 'cubic', initcwnd: 32 };
  await withNetwork({ ...options, backend: 'auto' }, async (path) => {
    await path.apply(conditionOf({}));
    const { client, server } = await readFairness(path, { python, servers: [] });
    for (const end of [client, server]) {
      assert.equal(end.tcpCongestionControl.value, 'cubic');
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
    assert.deepEqual(server.routes.value, ['10.89.0.1']);
  });
});
