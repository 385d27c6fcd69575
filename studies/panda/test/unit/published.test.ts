import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../../csv-rows.ts';
import {
  publishedConnectionLag,
  publishedFirstByteLag,
  publishedFirstBytesMs,
  publishedVideoLeadMs,
} from '../../published.ts';

test('TLS 1.3 is published as slower than TLS 1.2, by 43 ms until connected and 99 ms until the first byte', () => {
  const { behindMs } = publishedConnectionLag('all');
  assert.equal(behindMs['tls1.3'] - behindMs['tls1.2'], 43);
  const firstBytesMs = publishedFirstBytesMs();
  assert.equal(firstBytesMs['tls1.3'] - firstBytesMs['tls1.2'], 99);
});

test('no round-trip time explains both versions of TLS: their hosts differed', () => {
  const connected = publishedConnectionLag('all').neededRttMs;
  assert.deepEqual(connected, { 'tls1.2': 17, 'tls1.3': 77 });
  assert.equal((connected['tls1.3'] / connected['tls1.2']).toFixed(1), '4.5');
  const firstByte = publishedFirstByteLag().neededRttMs;
  assert.deepEqual(firstByte, { 'tls1.2': 27.5, 'tls1.3': 154 });
  assert.equal((firstByte['tls1.3'] / firstByte['tls1.2']).toFixed(1), '5.6');
});

test('from neither place is TLS 1.3 ahead of TLS 1.2', () => {
  for (const place of ['India', 'Munich'] as const) {
    const { behindMs } = publishedConnectionLag(place);
    assert.ok(behindMs['tls1.3'] > behindMs['tls1.2'], place);
  }
});

test('networks differ by more than protocols do', () => {
  const mediansMs = readCsv(
    'studies/panda/data/networks.csv',
    ['connection_p50_ms'],
    ({ connection_p50_ms }) => Number(connection_p50_ms),
  );
  assert.equal((Math.max(...mediansMs) / Math.min(...mediansMs)).toFixed(1), '5.5');
  const { tls1_3, quic } = {
    tls1_3: publishedFirstBytesMs()['tls1.3'],
    quic: publishedFirstBytesMs().quic,
  };
  assert.equal((tls1_3 / quic).toFixed(1), '1.7');
});

test('if the lead of connections for videos were round trips, three of them would take 137 ms each from Munich', () => {
  const connected = publishedVideoLeadMs('connection');
  assert.deepEqual([Math.round(connected.Munich / 3), Math.round(connected.India / 3)], [137, 183]);
  const [prebuffering, startUp] = [
    publishedVideoLeadMs('prebuffering'),
    publishedVideoLeadMs('start-up'),
  ];
  assert.deepEqual(
    [prebuffering, startUp],
    [
      { India: 600, Munich: 447 },
      { India: 861, Munich: 665 },
    ],
  );
});
