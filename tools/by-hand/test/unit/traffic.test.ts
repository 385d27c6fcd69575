import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trafficLines } from '../../proof.ts';

const NOTHING = { packets: 0, bytes: 0, lost: 0, queueDrops: 0 };

test('prints packets and losses of each direction', () => {
  const toServer = { packets: 1, bytes: 74, lost: 0, queueDrops: 0, udpDropped: 12 };
  const toClient = { packets: 2567, bytes: 3_900_000, lost: 3, queueDrops: 4 };
  assert.deepEqual(trafficLines({ toServer, toClient, maxLatenessMs: 0.444, linkCpuMs: 3 }), [
    'Traffic over the path:',
    '  to the server  1 packet, 74 B; 0 lost; 12 UDP packets blocked',
    '  to the client  2,567 packets, 3.9 MB; 3 lost; 4 dropped by the full queue',
    '  the latest packet left 0.44 ms too late',
  ]);
});

test('omits an unknown lateness', () => {
  const counts = { toServer: NOTHING, toClient: NOTHING, maxLatenessMs: null, linkCpuMs: null };
  assert.equal(trafficLines(counts).length, 3);
});
