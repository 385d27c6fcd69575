import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransferRequest } from '../../../../clients/transfer-client.ts';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { LIMITS } from '../../records.ts';
import { type RelaxableTransfer, relaxLimit } from '../../relaxation.ts';

function relaxableTransfer({
  client = 'bun',
  direction = 'download' as TransferRequest['direction'],
  windowBytes = 64_000 as number | null,
  inFlightBytes = 50_000 as number | null,
  protocol = 'h2' as Protocol,
  network = {},
  isPinned = false,
  isRunning = false,
}: {
  client?: string;
  direction?: TransferRequest['direction'];
  windowBytes?: number | null;
  inFlightBytes?: number | null;
  protocol?: Protocol;
  network?: Partial<RelaxableTransfer['network']>;
  isPinned?: boolean;
  isRunning?: boolean;
} = {}): RelaxableTransfer {
  const request: TransferRequest = {
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
    request,
    network: { ...NOTHING_ADDED, ...network },
    limitedBy: { limit: null, because: '', observed: { inFlightBytes } },
    isPinned,
    isRunning,
  };
}

test('relaxes windows from the requested size, or else from the bytes in flight', () => {
  assert.deepEqual(relaxLimit('stream window', relaxableTransfer()), {
    description: 'a window of 512.0 kB for each stream',
    request: { streamWindowBytes: 512_000 },
  });
  const description = 'a window of 400.0 kB for the connection';
  assert.deepEqual(relaxLimit('receive window', relaxableTransfer()), {
    description,
    tcp: { receiveWindowBytes: 400_000 },
  });
  assert.deepEqual(relaxLimit('receive window', relaxableTransfer({ protocol: 'h3' })), {
    description,
    request: { connectionWindowBytes: 400_000 },
  });
});

test("does not relax a window that the client does not support, that is the server's, or that is missing", () => {
  const explanation = (
    limit: 'receive window' | 'stream window',
    values: Parameters<typeof relaxableTransfer>[0],
  ) => String(relaxLimit(limit, relaxableTransfer(values)));
  for (const limit of ['receive window', 'stream window'] as const) {
    assert.match(
      explanation(limit, { client: 'chromium', protocol: 'h3' }),
      /^It cannot .*Chromium.*\.$/,
    );
    assert.match(
      explanation(limit, { direction: 'upload', protocol: 'h3' }),
      /^The window of an upload/,
    );
    const unknown = { protocol: 'h3', windowBytes: null, inFlightBytes: null } as const;
    assert.match(explanation(limit, unknown), /is unknown\.$/);
  }
  assert.match(explanation('stream window', { client: 'chromium' }), /^It cannot .*Chromium/);
  assert.match(explanation('stream window', { protocol: 'http/1.1' }), /^HTTP\/1\.1 has no stream/);
  // With TCP the kernel has the window of a connection, for every client and direction.
  for (const how of [{ client: 'chromium' }, { direction: 'upload' }] as const) {
    assert.deepEqual(relaxLimit('receive window', relaxableTransfer(how)), {
      description: 'a window of 400.0 kB for the connection',
      tcp: { receiveWindowBytes: 400_000 },
    });
  }
});

test('relaxes the path by its imposed limits', () => {
  const network = { rttMs: 40, downKbps: 10_000, lossPercent: 1 };
  assert.deepEqual(relaxLimit('link', relaxableTransfer({ network })), {
    description: 'a link of twice the rate (20 Mbit/s down)',
    network: { downKbps: 20_000, upKbps: null },
  });
  assert.deepEqual(relaxLimit('round trips', relaxableTransfer({ network })), {
    description: 'without the added 40 ms of round trip',
    network: { rttMs: 0, jitterMs: 0 },
  });
  assert.deepEqual(relaxLimit('loss', relaxableTransfer({ network })), {
    description: 'without loss',
    network: { lossPercent: 0, burstLoss: null },
  });
});

test('explains in a sentence what cannot be relaxed', () => {
  const sentences = [
    relaxLimit('round trips', relaxableTransfer()),
    relaxLimit('congestion window', relaxableTransfer({ protocol: 'h3' })),
    relaxLimit('processor', relaxableTransfer()),
    relaxLimit('stream window', relaxableTransfer({ direction: 'upload' })),
    relaxLimit('receive window', relaxableTransfer({ protocol: 'h3', direction: 'upload' })),
  ];
  for (const sentence of sentences) assert.match(String(sentence), /^[A-Z].*\.$/);
  assert.notEqual(typeof relaxLimit('congestion window', relaxableTransfer()), 'string');
  assert.notEqual(
    typeof relaxLimit('receive window', relaxableTransfer({ direction: 'upload' })),
    'string',
  );
  assert.notEqual(typeof relaxLimit('processor', relaxableTransfer({ isPinned: true })), 'string');
  for (const limit of LIMITS) assert.ok(relaxLimit(limit, relaxableTransfer()), limit);
});

test('relaxes of a running server only what its path and its client set', () => {
  const running = { isRunning: true, isPinned: true };
  const own = 'A running server has TCP and cores of its own.';
  assert.equal(relaxLimit('processor', relaxableTransfer(running)), own);
  assert.equal(relaxLimit('congestion window', relaxableTransfer(running)), own);
  const upload = { ...running, direction: 'upload' } as const;
  assert.equal(relaxLimit('receive window', relaxableTransfer(upload)), own);
  for (const limit of ['loss', 'receive window', 'stream window'] as const) {
    assert.equal(typeof relaxLimit(limit, relaxableTransfer(running)), 'object', limit);
  }
});
