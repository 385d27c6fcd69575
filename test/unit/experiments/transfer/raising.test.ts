import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedTransfer } from '../../../../clients/transferrer.ts';
import { type Raisable, raise } from '../../../../experiments/transfer/raising.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import type { Protocol } from '../../../../records/protocol.ts';
import { LIMITS } from '../../../../records/transfer.ts';

function raisable({
  protocol = 'h2' as Protocol,
  direction = 'download' as AskedTransfer['direction'],
  network = {},
  isPinned = false,
}: {
  protocol?: Protocol;
  direction?: AskedTransfer['direction'];
  network?: Partial<Raisable['network']>;
  isPinned?: boolean;
} = {}): Raisable {
  const asked: AskedTransfer = {
    protocol,
    host: 'files.example',
    address: '10.89.1.1:443',
    direction,
    path: '/file',
    bytes: 1e6,
    streams: 1,
    streamWindowBytes: 64_000,
    connectionWindowBytes: null,
    congestionControl: null,
    durationMs: null,
    timeoutMs: 1000,
  };
  return {
    asked,
    network: { ...NOTHING_ADDED, ...network },
    limitedBy: { limit: null, because: '', observed: { inFlightBytes: 50_000 } },
    isPinned,
  };
}

test('windows are raised from what was asked for, or else from what was on its way', () => {
  assert.deepEqual(raise('stream window', raisable()), {
    how: 'a window of 512.0 kB for each stream',
    asked: { streamWindowBytes: 512_000 },
  });
  const how = 'a window of 400.0 kB for the connection';
  assert.deepEqual(raise('receive window', raisable()), {
    how,
    tcp: { receiveWindowBytes: 400_000 },
  });
  assert.deepEqual(raise('receive window', raisable({ protocol: 'h3' })), {
    how,
    asked: { connectionWindowBytes: 400_000 },
  });
});

test('the path is raised by what was added to it', () => {
  const network = { rttMs: 40, downKbps: 10_000, lossPercent: 1 };
  assert.deepEqual(raise('link', raisable({ network })), {
    how: 'a link of twice the rate (20 Mbit/s down)',
    network: { downKbps: 20_000, upKbps: null },
  });
  assert.deepEqual(raise('round trips', raisable({ network })), {
    how: 'without the added 40 ms of round trip',
    network: { rttMs: 0, jitterMs: 0 },
  });
  assert.deepEqual(raise('loss', raisable({ network })), {
    how: 'without loss',
    network: { lossPercent: 0, burstLoss: null },
  });
});

test('what cannot be raised says why, as a sentence', () => {
  const sentences = [
    raise('round trips', raisable()),
    raise('congestion window', raisable({ protocol: 'h3' })),
    raise('processor', raisable()),
    raise('stream window', raisable({ direction: 'upload' })),
    raise('receive window', raisable({ protocol: 'h3', direction: 'upload' })),
  ];
  for (const sentence of sentences) assert.match(String(sentence), /^[A-Z].*\.$/);
  assert.notEqual(typeof raise('congestion window', raisable()), 'string');
  assert.notEqual(typeof raise('receive window', raisable({ direction: 'upload' })), 'string');
  assert.notEqual(typeof raise('processor', raisable({ isPinned: true })), 'string');
  for (const limit of LIMITS) assert.ok(raise(limit, raisable()), limit);
});
