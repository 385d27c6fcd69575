import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { seriesOf } from '../../series.ts';
import { observed } from './limits/made-up.ts';

const MADE = {
  lastByteMs: 250,
  bodyBytes: 20_000,
  series: [
    { atMs: 120, bytes: 0 },
    { atMs: 220, bytes: 10_000 },
    { atMs: 251, bytes: 20_000 },
  ],
};

test('has steps of 100 ms and a last one that ends with the transfer', () => {
  const { sender, link, occupation } = observed({
    lastByteMs: 250,
    sender: (atMs) => ({ cwndBytes: 1000 + atMs }),
    link: (atMs) => ({ mostWaitMs: atMs === 150 ? 4 : 0 }),
    client: () => 0.5,
  });
  const steps = seriesOf(MADE, { sender, link, occupation });
  assertEach(steps, ({ atMs, bytes }) => [atMs, bytes], [
    [100, 0],
    [200, 8000],
    [250, 20_000],
  ]);
  assert.deepEqual(
    steps.map(({ cwndBytes, rttMs }) => [cwndBytes, rttMs]),
    [
      [1100, 40],
      [1200, 40],
      [1240, 40],
    ],
    'what was known last in each step',
  );
  assertEach(steps, ({ queueMs }) => queueMs, [0, 4, 0]);
  assertEach(steps, ({ clientCpuPercent }) => Math.round(clientCpuPercent ?? 0), [50, 50, 50]);
});

test('is null, and never 0, for unreported values', () => {
  const [step] = seriesOf(MADE, { sender: null, link: null, occupation: null });
  assert.deepEqual(step, {
    atMs: 100,
    bytes: 0,
    cwndBytes: null,
    inFlightBytes: null,
    rttMs: null,
    queueMs: null,
    clientCpuPercent: null,
    serverCpuPercent: null,
  });
});

test('has one step for a transfer without data', () => {
  const unreported = { sender: null, link: null, occupation: null };
  assert.equal(seriesOf({ lastByteMs: null, bodyBytes: 0, series: [] }, unreported).length, 1);
});
