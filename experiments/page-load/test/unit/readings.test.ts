import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficRecord } from '../../../../clients/har/records.ts';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import type { PageLoad } from '../../details.ts';
import { readingsOfPageLoads } from '../../experiment.ts';

/** A load by QUIC with changed traffic and metrics. */
function load(traffic: Partial<TrafficRecord>, metrics: PageLoad['metrics'] = {}): PageLoad {
  const [one] = fixtureRun().observations.filter(({ arm }) => arm === 'lsquic-h3');
  assert.ok(one?.details?.traffic);
  Object.assign(one.details.traffic, traffic);
  Object.assign(one.metrics, metrics);
  return one;
}

test('takes medians of the loads for concurrent connections and requests', () => {
  const { connections, peakConcurrentRequests } = readingsOfPageLoads(
    [10, 70, 12, 14].map((peak) => load({}, { connections: 2, peakConcurrentRequests: peak })),
  );
  assert.deepEqual(peakConcurrentRequests, { value: 13, from: 'median of 4 loads' });
  assert.deepEqual(connections, { value: 2, from: 'median of 4 loads' });
});

test('reports TLS 1.3 for QUIC, and both ciphers of a stack that had two', () => {
  const quic = readingsOfPageLoads([load({}), load({ cipher: 'CHACHA20_POLY1305' })]);
  assert.equal(quic.tlsVersion?.value, 'TLS 1.3');
  assert.equal(quic.cipher?.value, 'AES_128_GCM, CHACHA20_POLY1305');
  const tcp = readingsOfPageLoads([load({ tlsVersion: 'TLS 1.3' })]);
  assert.equal(tcp.tlsVersion?.value, 'TLS 1.3');
  assert.equal(tcp.cipher?.value, 'AES_128_GCM');
});

test('leaves a reading unknown that some loads lack', () => {
  const { cipher } = readingsOfPageLoads([load({}), load({ cipher: null })]);
  assert.equal(cipher?.value, null);
  assert.equal(readingsOfPageLoads([load({})]).cipher?.value, 'AES_128_GCM');
});
