import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianEstimate } from '../../../../experiments/estimates.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import { median } from '../../../../statistics/median.ts';
import { theilSen } from '../../../../statistics/theil-sen.ts';
import { PUBLISHED } from '../../published-numbers.ts';
import { type HostTimes, hostTimes, pairsOf, publishedRows } from './measurements.ts';

/** Hosts whose round-trip times are nearer to each other differ by chance. */
const LEAST_APART_MS = 1;

/** Round trips for which each of his timed handshakes waits. */
const HANDSHAKES = { quicMs: 2, tls12Ms: 3, tls13Ms: 2 } as const;
type Handshake = keyof typeof HANDSHAKES;

const [TOP_1000, EMILIA, VMOTT17, VMOTT17_V6] = [
  'emilia_v4_1kTls13',
  'emilia_v4_QUIC_quic_perf_first',
  'vmott17_v4_QUIC',
  'vmott17_v6_QUIC',
] as const;

/** Round trips, ms without any, and hosts. */
const LINES: readonly (readonly [file: string, Handshake, ...line: number[]])[] = [
  [TOP_1000, 'tls13Ms', PUBLISHED.roundTrips.tls13, 20.7, 107],
  [TOP_1000, 'tls12Ms', PUBLISHED.roundTrips.tls12, 19.5, 107],
  [EMILIA, 'quicMs', PUBLISHED.roundTrips.quic, 19.3, 265],
  [EMILIA, 'tls12Ms', 3.41, 14.8, 267],
  [VMOTT17, 'quicMs', 1.84, 16.5, 261],
  [VMOTT17, 'tls12Ms', 3.41, 5.7, 267],
  [VMOTT17_V6, 'quicMs', 1.6, 21.2, 158],
  [VMOTT17_V6, 'tls12Ms', 2.97, 15.4, 169],
];

for (const [file, handshake, ...line] of LINES) {
  test(`${handshake} of ${file} grows with the round-trip times of its hosts as in the README`, async () => {
    assert.deepEqual(lineOf(await timesIn(file), handshake), line);
  });
}

test('TLS 1.2 takes one round trip more than TLS 1.3 at the same hosts', async () => {
  const points = (await timesIn(TOP_1000)).map(
    ({ rttMs, tls12Ms = Number.NaN, tls13Ms = Number.NaN }) => [rttMs, tls12Ms - tls13Ms] as const,
  );
  assert.equal(to(2, theilSen(points, LEAST_APART_MS)?.slope), 1.03);
});

test('the near hosts use another version of QUIC, so that a line through all of them is no slope', async () => {
  const times = await timesIn(EMILIA);
  const older = times.filter(({ quicVersion }) => quicVersion === 'Q039');
  const newer = times.filter(({ quicVersion, rttMs }) => quicVersion === 'Q043' && rttMs > 17);
  const nearAndFar = [older, newer].map((hosts) => [
    hosts.length,
    to(1, median(hosts.map(({ rttMs }) => rttMs))),
    to(1, median(hosts.map(({ quicMs }) => quicMs ?? Number.NaN))),
  ]);
  assert.deepEqual(nearAndFar, [
    [102, 9.4, 35.5],
    [137, 19.7, 53.5],
  ]);
  assert.ok(older.every(({ rttMs }) => rttMs < 10));
});

const PLAIN = [
  'www.admob.com',
  'www.fantia.jp',
  'www.googlegroups.com',
  'www.justwatch.com',
  'www.mobile01.com',
  'www.waze.com',
];

for (const [file, roundTrips, restsByOneMs, restsByTwoMs] of [
  [EMILIA, [PUBLISHED.roundTrips.quicAtPlainHosts, 3.01], [13.7, 20.5], [3.8, 4.5]],
  [VMOTT17, [1.94, 2.96], [12.2, 18.9], [2.8, 3.7]],
] as const) {
  test(`hosts of ${file} at which TLS takes three round trips and little else show two of QUIC`, async () => {
    const plain = plainHosts(await timesIn(file));
    assert.deepEqual(plain.map(({ host }) => host).toSorted(), PLAIN);
    const slopes = (['quicMs', 'tls12Ms'] as const).map((each) => lineOf(plain, each)[0]);
    assert.deepEqual(slopes, roundTrips);
    assert.deepEqual(ends(plain.map((times) => restMs(times, 'quicMs', 1))), restsByOneMs);
    assert.deepEqual(ends(plain.map((times) => restMs(times, 'quicMs', 2))), restsByTwoMs);
  });
}

test('the same hosts differ between the machines in the time of TLS beyond its round trips, and hardly in that of QUIC', async () => {
  const [emilia, vmott17] = await Promise.all([timesIn(EMILIA), timesIn(VMOTT17)]);
  const other = new Map(vmott17.map((times) => [times.host, times]));
  const both = emilia.flatMap((times) => {
    const found = other.get(times.host);
    return found ? [[times, found] as const] : [];
  });
  const change = (timeOf: (times: HostTimes) => number) => {
    const changes = both.map(([here, there]) => timeOf(here) - timeOf(there));
    const known = changes.filter((value) => !Number.isNaN(value));
    return [known.length, ...figures(medianEstimate(known))];
  };
  assert.deepEqual(
    change((times) => restMs(times, 'tls12Ms')),
    [267, 9.1, 9.1, 9.2],
  );
  assert.deepEqual(
    change((times) => restMs(times, 'quicMs')),
    [261, 1, 1, 1.1],
  );
  assert.deepEqual(
    change(({ rttMs }) => rttMs),
    [267, 0.3, 0.3, 0.3],
  );
});

/** Pairs, hosts, and QUIC's lead in ms: as published, and to the moment when it may send. */
const LEADS: readonly (readonly [string, string, number, number, number[], number[]])[] = [
  [EMILIA, 'TCP/TLS1.3', 160, 2, [PUBLISHED.leadMs.emilia, 10, 10.8], [30, 29.6, 30.4]],
  [VMOTT17, 'TCP/TLS1.3', 38, 2, [PUBLISHED.leadMs.vmott17, 1.4, 2.4], [20.9, 20.7, 21.7]],
  [VMOTT17_V6, 'TCP/TLS1.3', 100, 2, [2.5, 2.1, 2.7], [21.7, 21.3, 21.9]],
  [EMILIA, 'TCP/TLS1.2', 20_123, 265, [25.5, 25.2, 25.8], [45, 44.6, 45.3]],
  [VMOTT17, 'TCP/TLS1.2', 4791, 261, [18.4, 18.2, 18.6], [37.4, 37.2, 37.6]],
  [VMOTT17_V6, 'TCP/TLS1.2', 7871, 158, [20.7, 20.7, 20.8], [40, 39.9, 40]],
];

for (const [file, protocol, nPairs, nHosts, publishedMs, toSendMs] of LEADS) {
  test(`QUIC’s lead over ${protocol} in ${file} is a round trip larger when both end where a request may leave`, async () => {
    const pairs = pairsOf(publishedRows(file), protocol);
    assert.equal(pairs.length, nPairs);
    assert.equal(new Set(pairs.map(({ host }) => host)).size, nHosts);
    const lead = (savedMs: (rttMs: number) => number) =>
      figures(
        medianEstimate(
          pairs.map(({ rttMs, quicMs, otherMs }) => otherMs - quicMs + savedMs(rttMs)),
        ),
      );
    assert.deepEqual(
      lead(() => 0),
      publishedMs,
    );
    assert.deepEqual(
      lead((rttMs) => rttMs),
      toSendMs,
    );
  });
}

test('QUIC’s lead differs by the same between the machines at each of the two hosts with TLS 1.3', async () => {
  const [emilia, vmott17] = await Promise.all([EMILIA, VMOTT17].map(leadByHost));
  assert.deepEqual(emilia, { 'www.google.com': 9.8, 'www.googlevideo.com': 11.1 });
  assert.deepEqual(vmott17, { 'www.google.com': 1.2, 'www.googlevideo.com': 2.5 });
  const minutes = publishedRows(VMOTT17).map(({ minute }) => minute);
  const { low, high } = minutes.reduce(
    (ends, minute) => ({ low: Math.min(ends.low, minute), high: Math.max(ends.high, minute) }),
    { low: Infinity, high: -Infinity },
  );
  assert.ok(high - low < 24 * 60, 'the pairs from vmott17 are of one day');
});

async function leadByHost(file: string): Promise<Record<string, number>> {
  const pairs = Map.groupBy(pairsOf(publishedRows(file), 'TCP/TLS1.3'), ({ host }) => host);
  return Object.fromEntries(
    [...pairs].map(([host, own]) => [
      host,
      to(1, median(own.map(({ quicMs, otherMs }) => otherMs - quicMs))),
    ]),
  );
}

async function timesIn(file: string): Promise<HostTimes[]> {
  return hostTimes(publishedRows(file));
}

/** Round trips, ms without any, and hosts. */
function lineOf(hosts: readonly HostTimes[], handshake: Handshake): number[] {
  const points = hosts.flatMap(({ rttMs, [handshake]: tookMs }) =>
    tookMs === undefined ? [] : [[rttMs, tookMs] as const],
  );
  const line = theilSen(points, LEAST_APART_MS);
  return [to(2, line?.slope), to(1, line?.intercept), points.length];
}

/** Time of a handshake beyond its round trips, in ms; NaN: no handshake. */
function restMs(
  times: HostTimes,
  handshake: Handshake,
  roundTrips: number = HANDSHAKES[handshake],
): number {
  return (times[handshake] ?? Number.NaN) - roundTrips * times.rttMs;
}

/**
 * Hosts of Q043 within 2 ms of the shortest rest of TLS 1.2: their servers add nothing of their own
 * to its three round trips.
 */
function plainHosts(hosts: readonly HostTimes[]): HostTimes[] {
  const newer = hosts.filter(
    ({ quicVersion, tls12Ms }) => quicVersion === 'Q043' && tls12Ms !== undefined,
  );
  const leastMs = Math.min(...newer.map((times) => restMs(times, 'tls12Ms')));
  return newer.filter((times) => restMs(times, 'tls12Ms') < leastMs + 2);
}

function ends(values: readonly number[]): number[] {
  return [Math.min(...values), Math.max(...values)].map((value) => to(1, value));
}

function figures(estimate: Estimate | null): number[] {
  return [estimate?.estimate, estimate?.low, estimate?.high].map((value) => to(1, value));
}

function to(decimals: number, value: number | null | undefined): number {
  return Number((value ?? Number.NaN).toFixed(decimals));
}
