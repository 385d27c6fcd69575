import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  lossesOfLoads,
  medianReading,
  mergeReadings,
  readingsOfLoads,
  textReading,
} from '../../../../ground/records/load-readings.ts';
import type { Observation } from '../../../../ground/records/observation.ts';

interface Load {
  arm?: string;
  outcome?: Observation['outcome'];
  warmup?: boolean;
  metrics?: Observation['metrics'];
  machine?: Partial<NonNullable<Observation['machine']>> | null;
}

function load({
  arm = 'lsquic-h3',
  outcome = 'ok',
  warmup = false,
  metrics = { connections: 1 },
  machine,
}: Load): Observation {
  return {
    arm,
    outcome,
    warmup,
    metrics,
    machine: machine === null ? null : { serverCpuMs: 5, udpReceiveBufferErrors: 0, ...machine },
  } as Observation;
}

/** Fields of loads beyond those of all experiments. */
const read = (loads: readonly Observation[]) =>
  readingsOfLoads(loads, (own) => ({
    connections: medianReading(own.flatMap(({ metrics }) => metrics.connections ?? [])),
  }));

test('pools numbers of loads by their median', () => {
  const [own] = Object.values(
    read([
      load({ metrics: { connections: 10 }, machine: { serverCpuMs: 1 } }),
      load({ metrics: { connections: 70 }, machine: { serverCpuMs: 3 } }),
      load({ metrics: { connections: 12 } }),
      load({ metrics: { connections: 14 }, machine: { serverCpuMs: 9 } }),
    ]),
  );
  assert.deepEqual(own?.connections, { value: 13, from: 'median of 4 loads' });
  assert.equal(own?.serverCpuMs?.value, 4);
});

test('pools losses by the mean of all measured loads, of any outcome', () => {
  const losing = (udpReceiveBufferErrors: number) => ({ machine: { udpReceiveBufferErrors } });
  const losses = lossesOfLoads([
    load({}),
    load({ outcome: 'invalid', ...losing(3) }),
    load({ outcome: 'failed', ...losing(6) }),
    load({ outcome: 'failed', machine: null }),
    load({ warmup: true, ...losing(100) }),
    load({ arm: 'bun-h2' }),
  ]);
  assert.deepEqual(losses, {
    'lsquic-h3': { receiveBufferErrors: { value: 3, from: 'mean of 3 loads' } },
    'bun-h2': { receiveBufferErrors: { value: 0, from: 'mean of 1 load' } },
  });
});

test('lists distinct words sorted, and none if one load reports none', () => {
  assert.deepEqual(textReading(['b', 'a', 'b']), {
    value: 'a, b',
    from: '3 loads, each value once',
  });
  assert.deepEqual(textReading(['a', null]), { value: null, from: '2 loads' });
});

test('ignores warm-ups and loads that are not ok', () => {
  const readings = read([
    load({}),
    load({ warmup: true, metrics: { connections: 9 } }),
    load({ outcome: 'invalid', metrics: { connections: 9 } }),
  ]);
  assert.deepEqual(readings['lsquic-h3']?.connections, { value: 1, from: 'median of 1 load' });
  assert.deepEqual(read([load({ outcome: 'failed' })]), {});
});

test('leaves values unknown that no load reports', () => {
  const readings = read([load({ machine: null }), load({ machine: null })]);
  assert.equal(readings['lsquic-h3']?.serverCpuMs?.value, null);
});

test('joins readings of both moments by stack', () => {
  const one = { cipher: { value: 'x', from: 'loads' } };
  const two = { serverProgram: { value: 'y', from: 'plan' } };
  assert.deepEqual(mergeReadings({ a: two }, { a: one, b: one }), {
    a: { ...two, ...one },
    b: one,
  });
});

test('reads the window and the acknowledgements of clients from their packets', () => {
  const made = (quic: object): Observation => ({
    ...load({}),
    protocol: 'h3',
    connections: { opened: [], whole: true, client: { quic: quic as never } },
  });
  const window = { transportParameters: { initial_max_data: 25_165_824 } };
  const [own] = Object.values(
    read([
      made({ ...window, sentPackets: 10, receivedPackets: 20 }),
      made({ sentPackets: 90, receivedPackets: 580 }),
    ]),
  );
  assert.equal(own?.clientReceiveWindowBytes?.value, 25_165_824);
  assert.equal(own?.packetsPerAcknowledgement?.value, 6);
  const [unknown] = Object.values(read([load({}), made({ sentPackets: 0, receivedPackets: 9 })]));
  assert.equal(unknown?.packetsPerAcknowledgement, undefined);
  assert.equal(unknown?.clientReceiveWindowBytes, undefined);
});
