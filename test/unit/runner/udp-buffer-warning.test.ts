import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from '../../../ground/host/check.ts';
import { checkUdpBuffers } from '../../../ground/host/udp-buffers.ts';
import { udpBufferWarning } from '../../../runner/plan-notice.ts';

const QUIC = [{ protocol: 'h2' }, { protocol: 'h3' }] as const;

function machineWith(receiveBytes: number): Check {
  return { name: 'UDP buffers', run: () => checkUdpBuffers(receiveBytes, 212_992) };
}

test('warns a run over QUIC of small UDP buffers, in one line with the remedy', async () => {
  assert.equal(
    await udpBufferWarning(QUIC, machineWith(212_992)),
    'Warning: UDP buffers: up to 208 KB to receive, 208 KB to send: the kernel may drop bursts over QUIC that it would take over TCP; 4096 KB to receive are recommended: sudo sysctl -w net.core.rmem_max=4194304',
  );
});

test('prints nothing where buffers are large enough, unknown, or not needed', async () => {
  assert.equal(await udpBufferWarning(QUIC, machineWith(1_000_000)), null);
  const unknown: Check = {
    name: 'UDP buffers',
    run() {
      throw new Error('no /proc');
    },
  };
  assert.equal(await udpBufferWarning(QUIC, unknown), null);
  assert.equal(await udpBufferWarning([{ protocol: 'h2' }], machineWith(212_992)), null);
});
