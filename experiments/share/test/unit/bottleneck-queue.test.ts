import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkSample } from '../../../../ground/records/link-sample.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { NOTHING_CARRIED } from '../../../../test/unit/ground/records/link-sample.ts';
import { queueOf } from '../../bottleneck-queue.ts';

const NETWORK = { ...NOTHING_ADDED, rttMs: 30, downKbps: 10_000, queueBdp: 1 };
const PATH = { network: NETWORK, longestPacketBytes: 1500 };
const TIMES = { zeroMs: 5_000, counted: { fromMs: 100, untilMs: 200 } };

function sampleOf(atMs: number, mostQueuedBytes: number, mostWaitMs: number): LinkSample {
  const toClient = { ...NOTHING_CARRIED, mostQueuedBytes, mostWaitMs };
  return { atMs, forMs: 10, toServer: NOTHING_CARRIED, toClient };
}

test('computes the queueing delay from the waits of its packets, without earlier and later ones', () => {
  const { queue, queueMs } = queueOf(
    [
      sampleOf(4_990, 37_500, 30),
      sampleOf(5_000, 2_500, 2),
      sampleOf(5_090, 5_000, 4),
      sampleOf(5_110, 12_500, 10),
      sampleOf(5_120, 25_000, 20),
      sampleOf(5_130, 1_250, 1),
      sampleOf(5_200, 37_500, 30),
    ],
    PATH,
    TIMES,
  );
  assert.deepEqual(queue, { setBytes: 37_500, mostBytes: 25_000, stepMs: [4, 20] });
  assert.equal(queueMs, 10);
});

test('has no queue of a path without samples', () => {
  assert.deepEqual(queueOf(null, PATH, TIMES), { queue: null, queueMs: null });
});
