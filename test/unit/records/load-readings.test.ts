import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesOfLoads, mergeReadings, readingsOfLoads } from '../../../records/load-readings.ts';
import type { Observation } from '../../../records/observation.ts';

interface Load {
  arm?: string;
  outcome?: Observation['outcome'];
  warmup?: boolean;
  traffic?: Partial<NonNullable<Observation['traffic']>>;
  machine?: Partial<NonNullable<Observation['machine']>> | null;
}

function load({
  arm = 'lsquic-h3',
  outcome = 'ok',
  warmup = false,
  traffic,
  machine,
}: Load): Observation {
  const usual = {
    tlsVersion: 'QUIC',
    cipher: 'AES_128_GCM',
    responseHeadersSha256: 'a'.repeat(64),
    connections: 1,
    peakConcurrentRequests: 10,
  };
  return {
    arm,
    outcome,
    warmup,
    traffic: { ...usual, ...traffic },
    machine: machine === null ? null : { serverCpuMs: 5, udpReceiveBufferErrors: 0, ...machine },
  } as Observation;
}

test('numbers of loads become their median', () => {
  const [own] = Object.values(
    readingsOfLoads([
      load({ traffic: { peakConcurrentRequests: 10 }, machine: { serverCpuMs: 1 } }),
      load({ traffic: { peakConcurrentRequests: 70 }, machine: { serverCpuMs: 3 } }),
      load({ traffic: { peakConcurrentRequests: 12 } }),
      load({ traffic: { peakConcurrentRequests: 14 }, machine: { serverCpuMs: 9 } }),
    ]),
  );
  assert.deepEqual(own?.peakConcurrentRequests, { value: 13, from: 'median of 4 loads' });
  assert.equal(own?.serverCpuMs?.value, 4);
});

test('losses are the mean of all measured loads, whatever came of them', () => {
  const losing = (udpReceiveBufferErrors: number) => ({ machine: { udpReceiveBufferErrors } });
  const read = lossesOfLoads([
    load({}),
    load({ outcome: 'invalid', ...losing(3) }),
    load({ outcome: 'failed', ...losing(6) }),
    load({ outcome: 'failed', machine: null }),
    load({ warmup: true, ...losing(100) }),
    load({ arm: 'bun-h2' }),
  ]);
  assert.deepEqual(read, {
    'lsquic-h3': { receiveBufferErrors: { value: 3, from: 'mean of 3 loads' } },
    'bun-h2': { receiveBufferErrors: { value: 0, from: 'mean of 1 load' } },
  });
});

test("QUIC's TLS is TLS 1.3, and a stack that served two things says both", () => {
  const read = readingsOfLoads([
    load({}),
    load({ traffic: { responseHeadersSha256: 'b'.repeat(64) } }),
    load({ arm: 'bun-h2', traffic: { tlsVersion: 'TLS 1.3' } }),
  ]);
  assert.equal(read['lsquic-h3']?.tlsVersion?.value, 'TLS 1.3');
  assert.equal(read['bun-h2']?.tlsVersion?.value, 'TLS 1.3');
  assert.equal(read['lsquic-h3']?.responseHeaders?.value, `${'a'.repeat(16)}, ${'b'.repeat(16)}`);
  assert.equal(read['bun-h2']?.responseHeaders?.value, 'a'.repeat(16));
});

test('warm-ups and loads that are not ok do not count', () => {
  const read = readingsOfLoads([
    load({}),
    load({ warmup: true, traffic: { connections: 9 } }),
    load({ outcome: 'invalid', traffic: { connections: 9 } }),
  ]);
  assert.deepEqual(read['lsquic-h3']?.connections, { value: 1, from: 'median of 1 load' });
  assert.deepEqual(readingsOfLoads([load({ outcome: 'failed' })]), {});
});

test('what no load tells, or not every load, is unknown', () => {
  const read = readingsOfLoads([
    load({ machine: null }),
    load({ traffic: { cipher: null }, machine: null }),
  ]);
  assert.equal(read['lsquic-h3']?.serverCpuMs?.value, null);
  assert.equal(read['lsquic-h3']?.cipher?.value, null);
});

test('readings of both moments are put together by stack', () => {
  const one = { cipher: { value: 'x', from: 'loads' } };
  const two = { serverProgram: { value: 'y', from: 'plan' } };
  assert.deepEqual(mergeReadings({ a: two }, { a: one, b: one }), {
    a: { ...two, ...one },
    b: one,
  });
});
