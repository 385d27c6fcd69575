import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficRecord } from '../../../../clients/chromium/records.ts';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { readingsOfPageLoads } from '../../../../experiments/page-load/readings.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

/** A load by QUIC whose traffic and metrics are changed as asked. */
function load(traffic: Partial<TrafficRecord>, metrics: PageLoad['metrics'] = {}): PageLoad {
  const [one] = fixtureRun().observations.filter(({ arm }) => arm === 'lsquic-h3');
  assert.ok(one?.details?.traffic);
  Object.assign(one.details.traffic, { responseHeadersSha256: 'a'.repeat(64) }, traffic);
  Object.assign(one.metrics, metrics);
  return one;
}

test('connections and requests at the same time are medians of the loads', () => {
  const { connections, peakConcurrentRequests } = readingsOfPageLoads(
    [10, 70, 12, 14].map((peak) => load({}, { connections: 2, peakConcurrentRequests: peak })),
  );
  assert.deepEqual(peakConcurrentRequests, { value: 13, from: 'median of 4 loads' });
  assert.deepEqual(connections, { value: 2, from: 'median of 4 loads' });
});

test("QUIC's TLS is TLS 1.3, and a stack that served two things says both", () => {
  const quic = readingsOfPageLoads([load({}), load({ responseHeadersSha256: 'b'.repeat(64) })]);
  assert.equal(quic.tlsVersion?.value, 'TLS 1.3');
  assert.equal(quic.responseHeaders?.value, `${'a'.repeat(16)}, ${'b'.repeat(16)}`);
  const tcp = readingsOfPageLoads([load({ tlsVersion: 'TLS 1.3' })]);
  assert.equal(tcp.tlsVersion?.value, 'TLS 1.3');
  assert.equal(tcp.responseHeaders?.value, 'a'.repeat(16));
});

test('what not every load tells is unknown', () => {
  const { cipher } = readingsOfPageLoads([load({}), load({ cipher: null })]);
  assert.equal(cipher?.value, null);
  assert.equal(readingsOfPageLoads([load({})]).cipher?.value, 'AES_128_GCM');
});

test('what a stack asks for is what most of its loads asked for', () => {
  const asking = (letter: string, index: number) => {
    // The icon, which is no part of the set, was asked for in time by some.
    const one = load({}, { requests: 7 + index });
    Object.assign(one.details ?? {}, { requestSetSha256: letter.repeat(64) });
    return one;
  };
  const { requests } = readingsOfPageLoads(['a', 'b', 'a'].map(asking));
  assert.deepEqual(requests, { value: 'a'.repeat(16), from: '2 of 3 loads' });
  const varying = readingsOfPageLoads(['a', 'b'].map(asking));
  assert.deepEqual(varying.requests, { value: null, from: '1 of 2 loads' });
  assert.equal(readingsOfPageLoads([load({})]).requests, undefined);
});
