import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../ground/system/errors.ts';
import { measurableCondition, type SeededCondition } from '../../../network/conditions.ts';
import { backendFor } from '../../../network/network.ts';
import { queueBytes } from '../../../network/queue.ts';
import { linkDirection } from '../../../network/userspace/backend.ts';

const CONDITION: SeededCondition = {
  name: 'dsl',
  rttMs: 50,
  downKbps: 2000,
  upKbps: 400,
  lossPercent: 1,
  jitterMs: 2,
  burstLoss: { enterPercent: 1, leavePercent: 30 },
  seed: 7,
};

test('each direction has half of the round trip, and all of loss and jitter', () => {
  const { queueBytes: _, ...toServer } = linkDirection(CONDITION, 'toServer', 1500);
  assert.deepEqual(toServer, {
    delayMs: 25,
    jitterMs: 2,
    rateKbps: 400,
    lossPercent: 1,
    burstLoss: { enterPercent: 1, leavePercent: 30 },
    seed: 7,
  });
});

test('down is towards the client, up towards the server', () => {
  assert.equal(linkDirection(CONDITION, 'toClient', 1500).rateKbps, 2000);
  assert.equal(linkDirection(CONDITION, 'toServer', 1500).rateKbps, 400);
});

const TRACE = { name: 'lte', sha256: 'a'.repeat(64), meanKbps: 10_000, durationMs: 30_000 };

test('a recorded link is in the file of its name, in its direction, in place of a rate', () => {
  const recorded = { ...CONDITION, downKbps: null, trace: TRACE };
  const { traceFile, rateKbps } = linkDirection(recorded, 'toClient', 1500, '/run/traces');
  assert.deepEqual([traceFile, rateKbps], ['/run/traces/lte', null]);
  const other = linkDirection(recorded, 'toServer', 1500, '/run/traces');
  assert.deepEqual(['traceFile' in other, other.rateKbps], [false, 400]);
});

test('the queue of a recorded link is that of its mean rate', () => {
  const network = { rttMs: 100, downKbps: null, upKbps: null, trace: TRACE };
  const even = { rttMs: 100, downKbps: 10_000, upKbps: null };
  for (const queueBdp of [undefined, 2]) {
    assert.equal(
      queueBytes({ ...network, queueBdp }, 'toClient', 1500),
      queueBytes({ ...even, queueBdp }, 'toClient', 1500),
    );
  }
});

test('a path with recorded links is measured at their mean rates, with all else as asked', () => {
  const { trace: _, ...rest } = { ...CONDITION, downKbps: 10_000, trace: TRACE };
  assert.deepEqual(measurableCondition({ ...CONDITION, downKbps: null, trace: TRACE }), rest);
  assert.deepEqual(measurableCondition(CONDITION), CONDITION);
});

test('recorded links need the user-space link, and netem refuses them', () => {
  const networks = [CONDITION, { ...CONDITION, name: 'recorded', traceUp: TRACE }];
  assert.equal(backendFor(networks, 'auto'), 'userspace');
  assert.equal(backendFor(networks, 'userspace'), 'userspace');
  assert.throws(() => backendFor(networks, 'netem'), {
    name: UsageError.name,
    message: /^--network-backend netem: it cannot carry recorded by a recorded link/,
  });
  for (const backend of ['auto', 'netem'] as const) {
    assert.equal(backendFor([CONDITION], backend), backend);
  }
});

test('netem refuses events, and says which', () => {
  const cut = { ...CONDITION, event: { kind: 'cut', atMs: 500, lastsMs: 1000 } } as const;
  assert.equal(backendFor([cut], 'auto'), 'userspace');
  assert.throws(() => backendFor([cut], 'netem'), {
    name: UsageError.name,
    message: /^--network-backend netem: it cannot cut the path during an attempt/,
  });
});

test('the queue holds what the path holds in one round trip', () => {
  const condition = { rttMs: 100, downKbps: 10_000, upKbps: 10_000 };
  assert.equal(queueBytes(condition, 'toClient', 1500), (10_000_000 / 8) * 0.1);
});

test('a queue that is asked for is so many bandwidth-delay products, of however short a path', () => {
  const condition = { rttMs: 20, downKbps: 10_000, upKbps: null, queueBdp: 0.5 };
  assert.equal(queueBytes(condition, 'toClient', 1500), 12_500);
  assert.ok(queueBytes(condition, 'toServer', 1500) > 60_000_000);
});

test('a short path has the queue of one with 40 ms', () => {
  const near = { rttMs: 0, downKbps: 10_000, upKbps: null };
  assert.equal(
    queueBytes(near, 'toClient', 1500),
    queueBytes({ ...near, rttMs: 40 }, 'toClient', 1500),
  );
});

test('a slow path has room for ten full packets', () => {
  assert.equal(queueBytes({ rttMs: 100, downKbps: 100, upKbps: 100 }, 'toServer', 1500), 15_140);
});

test('room for ten full packets is more where packets are longer', () => {
  const slow = { rttMs: 100, downKbps: 100, upKbps: 100 };
  assert.equal(queueBytes(slow, 'toServer', 65_535), 655_490);
});

test('without a rate the queue is as good as without end', () => {
  assert.ok(
    queueBytes({ rttMs: 600, downKbps: null, upKbps: null }, 'toClient', 1500) > 60_000_000,
  );
});
