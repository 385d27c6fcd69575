import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { QuicConnection, QuicSample } from '../../../../ground/records/quic-sample.ts';
import type { TcpSample } from '../../../../ground/records/tcp-sample.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { kernelSamples, offeredBy, quicSamples } from '../../sender.ts';

const TCP: TcpSample = {
  s: 0,
  ns: 0,
  client: '10.89.0.1:1000',
  server: '10.89.1.1:443',
  state: 'ESTABLISHED',
  mssBytes: 1448,
  cwndSegments: 10,
  cwndBytes: 14_480,
  ssthreshBytes: null,
  inFlightBytes: 7000,
  unackedSegments: 5,
  lostSegments: 0,
  retransmittedSegments: 2,
  retransmittedBytes: 2896,
  sentBytes: 100_000,
  ackedBytes: 90_000,
  notSentBytes: 500,
  offeredBytes: 65_535,
  rttMs: 40,
  rttVarMs: 1,
  minRttMs: 30,
  deliveryRateKbps: 1000,
  isAppLimited: false,
  busyMs: 100,
  rwndLimitedMs: 20,
  sndbufLimitedMs: 0,
};

/**
 * Values read from these samples of a transfer that is requested now; times in ms after the
 * request.
 */
async function readOf(samples: readonly (Partial<TcpSample> & { atMs: number })[], missed = 0) {
  const requestedAtMs = Number(process.hrtime.bigint()) / 1e6;
  const now = Date.now();
  const lines = samples.map(({ atMs, ...numbers }) => {
    const s = Math.floor((now + atMs) / 1000);
    const ns = ((now + atMs) % 1000) * 1e6;
    return JSON.stringify({ ...TCP, ...numbers, s, ns });
  });
  return kernelSamples(
    {
      async writeTcpInfo(file) {
        await writeFile(file, gzipSync(lines.join('\n')));
        return { missed };
      },
    },
    requestedAtMs,
  );
}

test("reports kernel samples in the transfer's own time", async () => {
  const {
    samples: [first, second],
  } = await readOf([{ atMs: 20 }, { atMs: 40, cwndBytes: 28_960 }]);
  assert.ok(Math.abs((first?.atMs ?? 0) - 20) < 10, `${first?.atMs}`);
  assert.equal(Math.round((second?.atMs ?? 0) - (first?.atMs ?? 0)), 20);
  assert.deepEqual(
    { ...second, atMs: 0 },
    {
      atMs: 0,
      cwndBytes: 28_960,
      inFlightBytes: 7000,
      rttMs: 40,
      minRttMs: 30,
      notSentBytes: 500,
      receiveWindowMs: 20,
      lostPackets: 2,
    },
  );
});

test('adds up several connections, and keeps the count of an ended one', async () => {
  const other = { client: '10.89.0.1:2000', rttMs: 60, minRttMs: 50, rwndLimitedMs: 40 };
  const {
    samples: [both, one],
  } = await readOf([{ atMs: 20 }, { atMs: 20, ...other, retransmittedSegments: 5 }, { atMs: 40 }]);
  assert.equal(both?.cwndBytes, 2 * TCP.cwndBytes);
  assert.deepEqual([both?.rttMs, both?.minRttMs, both?.receiveWindowMs], [50, 30, 30]);
  assert.equal(one?.cwndBytes, TCP.cwndBytes);
  assert.deepEqual([both?.lostPackets, one?.lostPackets], [7, 7]);
});

test('knows the bytes sent by the busiest connection at every sample, without retransmissions', async () => {
  const samples = [
    { atMs: 20, sentBytes: 50_000 },
    { atMs: 20, client: '10.89.0.1:2000', sentBytes: 80_000, retransmittedBytes: 0 },
    { atMs: 40, sentBytes: 100_000 },
  ];
  assert.equal((await readOf(samples)).mostSentBytes, 97_104);
  assert.equal((await readOf(samples, 1)).mostSentBytes, null);
  assert.equal((await readOf([])).mostSentBytes, 0);
});

const QUIC: QuicSample = {
  atMs: 0,
  cwndBytes: 46_720,
  rttMs: 40,
  rttVarMs: 1,
  minRttMs: 39,
  sentPackets: 1,
  sentBytes: 0,
  lostPackets: 0,
  receivedPackets: 1,
  receivedBytes: 1,
};

function connectionWith(samples: QuicSample[]): QuicConnection {
  return {
    client: '10.89.0.1:1000',
    server: '10.89.1.1:443',
    clientStreamWindowBytes: 64_000,
    clientWindowBytes: 1_000_000,
    serverStreamWindowBytes: 20_000,
    serverWindowBytes: 30_000,
    samples,
  };
}

test('counts as in flight by QUIC what was sent in the latest round trip', () => {
  const samples = quicSamples(
    connectionWith([
      { ...QUIC, atMs: 1000 },
      { ...QUIC, atMs: 1020, sentBytes: 30_000 },
      { ...QUIC, atMs: 1060, sentBytes: 50_000, lostPackets: 3 },
      { ...QUIC, atMs: 1200, sentBytes: 50_000 },
    ]),
    990,
  );
  assertEach(samples, ({ atMs, inFlightBytes }) => [atMs, inFlightBytes], [
    [10, 0],
    [30, 30_000],
    [70, 20_000],
    [210, 0],
  ]);
  assert.equal(samples[2]?.lostPackets, 3);
  assert.equal(samples[2]?.notSentBytes, null);
});

test("reads each stream's window from the receiving end", () => {
  const offered = (direction: 'download' | 'upload') =>
    offeredBy(connectionWith([]), { direction, streams: 10 });
  assert.deepEqual(offered('download'), { streamsBytes: 640_000, connectionBytes: 1_000_000 });
  assert.deepEqual(offered('upload'), { streamsBytes: 200_000, connectionBytes: 30_000 });
});
