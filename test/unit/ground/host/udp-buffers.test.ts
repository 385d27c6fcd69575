import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUdpBuffers } from '../../../../ground/host/udp-buffers.ts';

test('warns of UDP buffers under 1 MB', () => {
  assert.equal(checkUdpBuffers(4_194_304, 212_992).status, 'ok');
  const { status, found, remedy } = checkUdpBuffers(212_992, 212_992);
  assert.equal(status, 'note');
  assert.match(found, /208 KB to receive/);
  assert.equal(remedy, 'sudo sysctl -w net.core.rmem_max=4194304');
});
