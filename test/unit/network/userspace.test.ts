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

test('gives each direction half of the round trip, and all of loss and jitter', () => {
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

test('uses down for towards the client, and up for towards the server', () => {
  assert.equal(linkDirection(CONDITION, 'toClient', 1500).rateKbps, 2000);
  assert.equal(linkDirection(CONDITION, 'toServer', 1500).rateKbps, 400);
});

const TRACE = { name: 'lte', sha256: 'a'.repeat(64), meanKbps: 10_000, durationMs: 30_000 };

test('writes a recorded link in its file, in its direction, in place of a rate', () => {
  const recorded = { ...CONDITION, downKbps: null, trace: TRACE };
  const { traceFile, rateKbps } = linkDirection(recorded, 'toClient', 1500, '/run/traces');
  assert.deepEqual([traceFile, rateKbps], ['/run/traces/lte', null]);
  const other = linkDirection(recorded, 'toServer', 1500, '/run/traces');
  assert.deepEqual(['traceFile' in other, other.rateKbps], [false, 400]);
});

test('sizes the queue of a recorded link by its mean rate', () => {
  const network = { rttMs: 100, downKbps: null, upKbps: null, trace: TRACE };
  const even = { rttMs: 100, downKbps: 10_000, upKbps: null };
  for (const queueBdp of [undefined, 2]) {
    assert.equal(
      queueBytes({ ...network, queueBdp }, 'toClient', 1500),
      queueBytes({ ...even, queueBdp }, 'toClient', 1500),
    );
  }
});

test('measures a path with recorded links at their mean rates, with everything else as requested', () => {
  const { trace: _, ...rest } = { ...CONDITION, downKbps: 10_000, trace: TRACE };
  assert.deepEqual(measurableCondition({ ...CONDITION, downKbps: null, trace: TRACE }), rest);
  assert.deepEqual(measurableCondition(CONDITION), CONDITION);
});

test('supports recorded links in user space only, and rejects them with netem', () => {
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

test('rejects events with netem, and names them', () => {
  const cut = { ...CONDITION, event: { kind: 'cut', atMs: 500, lastsMs: 1000 } } as const;
  assert.equal(backendFor([cut], 'auto'), 'userspace');
  assert.throws(() => backendFor([cut], 'netem'), {
    name: UsageError.name,
    message: /^--network-backend netem: it cannot cut the path during an attempt/,
  });
});

test('rejects arms with netem that change handshakes or windows, and names them', () => {
  for (const settings of [
    { handshake: 'one round trip less' },
    { countedWindowBytes: 46_720 },
  ] as const) {
    const arms = [{ arm: 'bun-h2' }, { arm: 'other', settings }];
    assert.equal(backendFor([CONDITION], 'auto', arms), 'userspace');
    assert.throws(() => backendFor([CONDITION], 'netem', arms), {
      name: UsageError.name,
      message: /^--network-backend netem: it cannot hold packets .*, as arm other requires/,
    });
  }
  const arms = [{ arm: 'bun-h2', settings: { initialWindowSegments: 32 } }];
  assert.equal(backendFor([CONDITION], 'netem', arms), 'netem');
});

test('sizes the queue for one round trip of the path', () => {
  const condition = { rttMs: 100, downKbps: 10_000, upKbps: 10_000 };
  assert.equal(queueBytes(condition, 'toClient', 1500), (10_000_000 / 8) * 0.1);
});

test('sizes a requested queue in bandwidth-delay products, for any short path', () => {
  const condition = { rttMs: 20, downKbps: 10_000, upKbps: null, queueBdp: 0.5 };
  assert.equal(queueBytes(condition, 'toClient', 1500), 12_500);
  assert.ok(queueBytes(condition, 'toServer', 1500) > 60_000_000);
});

test('gives a short path the queue of one with 40 ms', () => {
  const near = { rttMs: 0, downKbps: 10_000, upKbps: null };
  assert.equal(
    queueBytes(near, 'toClient', 1500),
    queueBytes({ ...near, rttMs: 40 }, 'toClient', 1500),
  );
});

test('gives a slow path room for ten full packets', () => {
  assert.equal(queueBytes({ rttMs: 100, downKbps: 100, upKbps: 100 }, 'toServer', 1500), 15_140);
});

test('enlarges the room for ten full packets with the packet length', () => {
  const slow = { rttMs: 100, downKbps: 100, upKbps: 100 };
  assert.equal(queueBytes(slow, 'toServer', 65_535), 655_490);
});

test('has a practically unlimited queue without a rate', () => {
  assert.ok(
    queueBytes({ rttMs: 600, downKbps: null, upKbps: null }, 'toClient', 1500) > 60_000_000,
  );
});
