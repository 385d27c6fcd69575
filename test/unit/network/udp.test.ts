import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { burstBytes, stopsUdp, withoutUdpTreatment } from '../../../network/udp.ts';

test('has a burst of the rate in 100 ms, and never less than ten packets', () => {
  assert.equal(burstBytes({ treatment: 'throttled', kbps: 8000 }, 1500), 100_000);
  assert.equal(burstBytes({ treatment: 'throttled', kbps: 100 }, 1500), 15_140);
  assert.equal(burstBytes({ treatment: 'blocked', kbps: null }, 1500), 0);
});

test('passes throttled UDP, and untreated UDP as well', () => {
  assert.deepEqual(
    [
      stopsUdp({ treatment: 'blocked', kbps: null }),
      stopsUdp({ treatment: 'rejected', kbps: null }),
      stopsUdp({ treatment: 'throttled', kbps: 9 }),
      stopsUdp(undefined),
    ],
    [true, true, false, false],
  );
});

test('compares a network without its treatment', () => {
  const network = { ...NOTHING_ADDED, rttMs: 30 };
  assert.deepEqual(
    withoutUdpTreatment({ ...network, udp: { treatment: 'blocked' as const, kbps: null } }),
    network,
  );
});
