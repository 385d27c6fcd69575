import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYER_NAMES, type WireClose } from '../../../../ground/records/packets.ts';
import {
  agreements,
  capturedAttempts,
  endings,
  wireSummary,
} from '../../../../report/summary/packets.ts';
import { assertEach } from '../../assert-each.ts';
import { madeCapture, madeConnection } from '../captured-run.ts';
import { fixtureRun, NONE } from '../fixture-run.ts';

const { observations } = fixtureRun({ subjects: ['www.example.org'], networks: [NONE] });
const own = observations.filter(({ arm }) => arm === 'lsquic-h3');
const [warmUp, ...measured] = own;

test('reports warm-ups only if nothing else was captured, and failed attempts never', () => {
  assert.ok(warmUp?.warmup);
  const captures = own.map((attempt) => madeCapture(attempt));
  const ids = (found: ReturnType<typeof capturedAttempts>) =>
    found.map(({ attempt }) => attempt.id);
  assert.deepEqual(
    ids(capturedAttempts(own, captures)),
    measured.map(({ id }) => id),
  );
  assert.deepEqual(ids(capturedAttempts(own, captures.slice(0, 1))), [warmUp.id]);
  const failed = own.map((attempt) => ({ ...attempt, outcome: 'failed' as const }));
  assert.deepEqual(capturedAttempts(failed, captures), []);
  assert.deepEqual(capturedAttempts(own, []), []);
});

test('averages over attempts, with all their connections', () => {
  const connection = madeConnection(1000);
  const captures = measured.map((attempt, index) =>
    madeCapture(attempt, index === 0 ? [connection, madeConnection(4000)] : [connection]),
  );
  const found = wireSummary('lsquic-h3', capturedAttempts(measured, captures));
  assert.ok(found);
  assert.deepEqual([found.attempts, found.connections], [3, 4 / 3]);
  assert.equal(found.toClient.payloadBytes, (3 * 1000 + 4000) / 3);
  const layers = LAYER_NAMES.map((layer) => found.before[layer] + found.after[layer]);
  const bytes = layers.reduce((sum, each) => sum + each);
  assert.ok(Math.abs(bytes - found.bytes) < 1e-6);
  const payload = found.before.payload + found.after.payload;
  assert.ok(Math.abs((found.overheadPercent ?? 0) - 100 * (1 - payload / bytes)) < 1e-9);
  assert.equal(found.unreadPercent, 0);
  assert.deepEqual([found.leastRoundTripMs, found.maySendMs, found.confirmedMs], [30, 33, null]);
  assert.equal(wireSummary('bun-h2', capturedAttempts(measured, captures)), null);
});

test('does not count unreadable bytes as overhead, and reports none if they exceed a hundredth', () => {
  const withUnread = (percent: number) => {
    const captures = measured.map((attempt) => {
      const connection = structuredClone(madeConnection(1000));
      const capture = madeCapture(attempt, [connection]);
      const bytes = (percent / 100) * capture.bytes;
      // It is not known, despite its earlier category.
      connection.afterRequest.payload -= bytes;
      connection.afterRequest.unread += bytes;
      return capture;
    });
    const found = wireSummary('lsquic-h3', capturedAttempts(measured, captures));
    assert.ok(Math.abs((found?.unreadPercent ?? 0) - percent) < 1e-9);
    return found?.overheadPercent ?? null;
  };
  const overhead = withUnread(0);
  assert.ok(overhead !== null && Math.abs((withUnread(0.9) ?? 0) - overhead) < 1e-9);
  assert.equal(withUnread(1.1), null);
});

test('counts agreements and ends by stack', () => {
  const closes: WireClose[] = [
    { by: 'client', layer: 'application', code: 256, name: 'H3_NO_ERROR', isError: false },
  ];
  const captured = capturedAttempts(
    measured,
    measured.map((attempt, index) =>
      madeCapture(attempt, [{ ...madeConnection(), closes: index === 0 ? closes : [] }]),
    ),
  );
  assert.deepEqual(agreements(captured), [
    {
      arm: 'lsquic-h3',
      text: 'QUIC, h3, TLS 1.3, TLS_AES_128_GCM_SHA256, X25519',
      isError: false,
      count: 3,
    },
  ]);
  assertEach(endings(captured), ({ text, count }) => [text, count], [
    ['none seen: still open when the capture ended, or gone without a word', 2],
    ['client, HTTP: H3_NO_ERROR', 1],
  ]);
});
