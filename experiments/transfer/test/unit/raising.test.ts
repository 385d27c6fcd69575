import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedTransfer } from '../../../../clients/transferrer.ts';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { type Raisable, raise } from '../../raising.ts';
import { LIMITS } from '../../records.ts';

function raisable({
  client = 'bun',
  direction = 'download' as AskedTransfer['direction'],
  windowBytes = 64_000 as number | null,
  inFlightBytes = 50_000 as number | null,
  protocol = 'h2' as Protocol,
  network = {},
  isPinned = false,
}: {
  client?: string;
  direction?: AskedTransfer['direction'];
  windowBytes?: number | null;
  inFlightBytes?: number | null;
  protocol?: Protocol;
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
    streamWindowBytes: windowBytes,
    connectionWindowBytes: null,
    congestionControl: null,
    durationMs: null,
    timeoutMs: 1000,
  };
  return {
    client,
    asked,
    network: { ...NOTHING_ADDED, ...network },
    limitedBy: { limit: null, because: '', observed: { inFlightBytes } },
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

test("a window that the client does not take, that is the server's, or that is not there is not said to be raised", () => {
  const told = (limit: 'receive window' | 'stream window', how: Parameters<typeof raisable>[0]) =>
    String(raise(limit, raisable(how)));
  for (const limit of ['receive window', 'stream window'] as const) {
    assert.match(told(limit, { client: 'chromium', protocol: 'h3' }), /^It cannot .*Chromium.*\.$/);
    assert.match(told(limit, { direction: 'upload', protocol: 'h3' }), /^What limits an upload/);
    const unknown = { protocol: 'h3', windowBytes: null, inFlightBytes: null } as const;
    assert.match(told(limit, unknown), /is not known\.$/);
  }
  assert.match(told('stream window', { client: 'chromium' }), /^It cannot .*Chromium/);
  assert.match(told('stream window', { protocol: 'http/1.1' }), /^HTTP\/1\.1 has no windows/);
  // By TCP the window of a connection is the kernel's, whoever asks and whichever way.
  for (const how of [{ client: 'chromium' }, { direction: 'upload' }] as const) {
    assert.deepEqual(raise('receive window', raisable(how)), {
      how: 'a window of 400.0 kB for the connection',
      tcp: { receiveWindowBytes: 400_000 },
    });
  }
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
