import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficRecord } from '../../../../clients/har/records.ts';
import type { PageLoad, PageLoadDetails } from '../../../../experiments/page-load/details.ts';
import type {
  ConnectionRecord,
  ObservedConnections,
} from '../../../../ground/records/connection.ts';
import { roundTripsToFirstByte, stackWhy } from '../../../../report/sections/stack-why.ts';
import { fixtureRun } from '../fixture-run.ts';

const STACK = { arm: 'bun-h2', label: 'Bun (h2)', place: 1 };
const HOST = 'www.iana.org';

function someLoads(): [PageLoad, PageLoad, PageLoad] {
  const loads = fixtureRun().observations.filter(
    ({ arm, subject, network, warmup }) =>
      arm === 'bun-h2' && subject === HOST && network.rttMs === 30 && !warmup,
  );
  assert.equal(loads.length, 3);
  return loads as [PageLoad, PageLoad, PageLoad];
}

/** The same load with its time spent on other phases; null: its HAR has no phases. */
function split(load: PageLoad, parts: readonly [number, number, number, number] | null): PageLoad {
  assert.ok(load.details);
  const [setUp, waiting, transfer, rest] = parts ?? [0, 0, 0, 0];
  const phasesMs = parts && { setUp, waiting, transfer, rest };
  return { ...load, details: { ...load.details, phasesMs } };
}

test('averages parts over the loads, adding up to the mean page load time', () => {
  const [one, two] = someLoads();
  const loads: PageLoad[] = [split(one, [60, 100, 40, 50]), split(two, [62, 130, 50, 58])];
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual(why?.partsMs, { setUp: 61, waiting: 115, transfer: 45, rest: 54 });
  assert.equal(why?.pageLoadMs, 275);
  assert.deepEqual([why?.n, why?.nMissing], [2, 0]);
});

test('excludes a load without phases from the means, and counts it as missing', () => {
  const [one, two, three] = someLoads();
  const loads: PageLoad[] = [split(one, [60, 100, 40, 50]), split(two, null), split(three, null)];
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual([why?.n, why?.nMissing], [1, 2]);
  assert.equal(why?.firstByteMs, one.metrics.firstByteMs);
  assert.equal(stackWhy(STACK, loads.slice(1), HOST), null);
  assert.equal(stackWhy(STACK, [], HOST), null);
});

test('shows explanations next to the parts: first byte, connections, round trips', () => {
  const [one, two] = someLoads();
  const loads = [one, two].map((load) => split(load, [1, 1, 1, 1]));
  loads.forEach(({ metrics }, index) => {
    metrics.firstByteMs = 100 + 10 * index;
    metrics.connectMs = 60 + index;
  });
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual(
    [why?.firstByteMs, why?.connectMs, why?.connections, why?.roundTrips],
    [105, 60.5, 1, 3],
  );
  assert.equal(stackWhy(STACK, loads, 'elsewhere.test')?.roundTrips, null);
});

/** Facts about a load from the TLS of its document alone. */
const detailsOf = (tlsVersion: string | null): PageLoadDetails => ({
  phasesMs: null,
  replay: null,
  traffic: { tlsVersion } as TrafficRecord,
});

function openedTo(host: string, earlyData: ConnectionRecord['earlyData']): ObservedConnections {
  const connection: ConnectionRecord = {
    host,
    address: '10.0.0.1:443',
    clientPort: 40_123,
    transport: 'quic',
    tlsVersion: 'TLS 1.3',
    cipher: null,
    handshake: 'full',
    earlyData,
    offered: earlyData === 'none' ? 'full' : 'early-data',
  };
  return { opened: [connection], whole: true };
}

test('needs two round trips to the first byte by QUIC, three by TLS 1.3, four by TLS 1.2', () => {
  const expected = { QUIC: 2, 'TLS 1.3': 3, 'TLS 1.2': 4 };
  for (const [tlsVersion, roundTrips] of Object.entries(expected)) {
    const details = detailsOf(tlsVersion);
    assert.equal(roundTripsToFirstByte({ details, connections: null }, 'a.test'), roundTrips);
    const connections = openedTo('a.test', 'none');
    assert.equal(roundTripsToFirstByte({ details, connections }, 'a.test'), roundTrips);
  }
});

test('saves one for early data, unless the server rejected it', () => {
  const details = detailsOf('QUIC');
  const tripsWith = (earlyData: ConnectionRecord['earlyData']) =>
    roundTripsToFirstByte({ details, connections: openedTo('a.test', earlyData) }, 'a.test');
  assert.equal(tripsWith('accepted'), 1);
  assert.equal(tripsWith('rejected'), 2);
});

test('gives no number if the handshake of the document is unknown', () => {
  const connections = openedTo('elsewhere.test', 'none');
  assert.equal(roundTripsToFirstByte({ details: null, connections: null }, 'a.test'), null);
  const withoutHar = { ...detailsOf(null), traffic: null };
  assert.equal(roundTripsToFirstByte({ details: withoutHar, connections: null }, 'a.test'), null);
  for (const tlsVersion of [null, 'TLS 9']) {
    const details = detailsOf(tlsVersion);
    assert.equal(roundTripsToFirstByte({ details, connections: null }, 'a.test'), null);
  }
  assert.equal(roundTripsToFirstByte({ details: detailsOf('QUIC'), connections }, 'a.test'), null);
});
