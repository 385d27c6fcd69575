import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackPair } from '../../../../ground/records/fairness.ts';
import { compareStacks, transportDifferences } from '../../../../ground/records/like-for-like.ts';
import {
  STACK_PROPERTIES,
  type StackProperty,
  type StackReadings,
} from '../../../../ground/records/stack-readings.ts';
import { assertEach } from '../../assert-each.ts';

/** Readings in which every property has a value. */
function readings(
  values: Partial<Record<StackProperty, string | number | null>> = {},
): StackReadings {
  const numbers = ['Packets', 'Bytes', 'Requests', 'connections', 'Errors', 'Ms', 'segments'];
  return Object.fromEntries(
    (Object.keys(STACK_PROPERTIES) as StackProperty[]).map((name) => {
      const usual = numbers.some((each) => name.includes(each)) ? 100 : 'same';
      return [name, { value: name in values ? values[name] : usual, from: 'a test' }];
    }),
  );
}

function pairOf(a: StackReadings, b: StackReadings, when = 'after loads' as const): StackPair {
  const [pair] = compareStacks({ quic: a, tcp: b }, when);
  assert.ok(pair);
  return pair;
}

function verdictOf(pair: StackPair, property: StackProperty) {
  return pair.properties.find((each) => each.property === property)?.verdict;
}

test('calls two equal stacks like for like', () => {
  const pair = pairOf(readings(), readings());
  assert.equal(pair.likeForLike, 'yes');
  assert.equal(pair.sentence, 'like for like');
  assertEach(pair.properties, ({ property }) => property, Object.keys(STACK_PROPERTIES));
});

test('names each difference with both values', () => {
  const pair = pairOf(
    readings({ initialWindowPackets: 32, serverProgram: 'Bun' }),
    readings({ initialWindowPackets: 10, serverProgram: 'gunicorn' }),
  );
  assert.equal(pair.likeForLike, 'no');
  assert.equal(
    pair.sentence,
    'not like for like: initial window (32 packets against 10 packets), server program (Bun against gunicorn)',
  );
});

test('decides by every condition separately, and by no consequence', () => {
  for (const [name, { kind }] of Object.entries(STACK_PROPERTIES)) {
    const other = { [name]: name === 'congestionControl' ? 'bbr' : 100_000 };
    const { likeForLike } = pairOf(readings(), readings(other));
    assert.equal(likeForLike, kind === 'condition' ? 'no' : 'yes', name);
  }
});

test('never calls unknown values equal, also when both are', () => {
  const unknown = readings({ cipher: null });
  for (const pair of [
    pairOf(unknown, readings()),
    pairOf(readings(), unknown),
    pairOf(unknown, unknown),
  ]) {
    assert.equal(verdictOf(pair, 'cipher'), 'unknown');
    assert.equal(pair.likeForLike, 'unknown');
    assert.equal(pair.sentence, 'not known to be like for like: unknown cipher');
  }
  const { cipher: _, ...without } = readings();
  assert.equal(pairOf(without, without).likeForLike, 'unknown');
  assert.equal(
    verdictOf(pairOf(readings({ connections: NaN }), readings()), 'connections'),
    'unknown',
  );
});

test('ranks a difference above unknown values', () => {
  const { likeForLike } = pairOf(readings({ cipher: null, tlsVersion: 'TLS 1.2' }), readings());
  assert.equal(likeForLike, 'no');
});

test('compares numbers within the tolerance of their property and no further', () => {
  const cases: [StackProperty, number, number, 'equal' | 'differs'][] = [
    ['initialWindowPackets', 10, 11, 'differs'],
    ['connections', 20, 22, 'equal'],
    ['connections', 20, 23, 'differs'],
    ['connections', 1, 2, 'differs'],
    ['peakConcurrentRequests', 60, 80, 'equal'],
    ['peakConcurrentRequests', 60, 10, 'differs'],
    ['peakConcurrentRequests', 2, 6, 'equal'],
    ['receiveBufferErrors', 0, 0.1, 'differs'],
    ['receiveBufferErrors', 0, 0, 'equal'],
    ['clientReceiveWindowBytes', 15_728_640, 16_000_000, 'equal'],
    ['clientReceiveWindowBytes', 15_728_640, 16_100_000, 'differs'],
  ];
  for (const [property, a, b, verdict] of cases) {
    const pair = pairOf(readings({ [property]: a }), readings({ [property]: b }));
    assert.equal(verdictOf(pair, property), verdict, `${property}: ${a}, ${b}`);
    const turned = pairOf(readings({ [property]: b }), readings({ [property]: a }));
    assert.equal(verdictOf(turned, property), verdict, `${property}: ${b}, ${a}`);
  }
});

test('distinguishes a small number from 0', () => {
  const { properties } = pairOf(
    readings({ receiveBufferErrors: 0.0312, serverCpuMs: 12.34 }),
    readings({ receiveBufferErrors: 0, serverCpuMs: 0.96 }),
  );
  const textsOf = (name: StackProperty) => {
    const found = properties.find(({ property }) => property === name);
    return [found?.a, found?.b];
  };
  assert.deepEqual(textsOf('receiveBufferErrors'), ['0.031', '0']);
  assert.deepEqual(textsOf('serverCpuMs'), ['12.3 ms', '0.96 ms']);
});

test('groups large numbers with commas', () => {
  const { sentence } = pairOf(
    readings({ clientReceiveWindowBytes: 15_728_640 }),
    readings({ clientReceiveWindowBytes: 65_536 }),
  );
  assert.equal(
    sentence,
    "not like for like: client's first receive window (15,728,640 bytes against 65,536 bytes)",
  );
});

test('lists differences between transports of one server program, and unknown ones', () => {
  const quic = readings({ windowGrowth: 'always', pacing: 'yes' });
  const tcp = readings({ windowGrowth: 'when used', pacing: null });
  assert.deepEqual(transportDifferences(pairOf(quic, tcp)), {
    differing: ['window growth'],
    unknown: ['pacing'],
  });
  assert.deepEqual(transportDifferences(pairOf(tcp, { ...tcp, pacing: quic.pacing })), {
    differing: [],
    unknown: ['pacing'],
  });
});

test('lists no differences of transports if programs differ, or anything else does', () => {
  const quic = readings({ windowGrowth: 'always' });
  for (const other of [{ serverProgram: 'gunicorn' }, { serverProgram: null }, { cipher: 'AES' }]) {
    assert.equal(transportDifferences(pairOf(quic, readings(other))), null);
  }
  const { serverProgram: _, ...without } = readings();
  assert.equal(transportDifferences(pairOf(without, without)), null);
  assert.equal(transportDifferences({ properties: [] }), null);
});

test('compares before the loads only what is known then', () => {
  const { tlsVersion: _, connections: __, ...known } = readings();
  const [pair] = compareStacks({ a: known, b: known }, 'before loads');
  assert.equal(pair?.likeForLike, 'yes');
  assert.equal(pair?.sentence, 'like for like in what is known before the first load');
  assert.ok(pair?.properties.every(({ property }) => STACK_PROPERTIES[property].from === 'plan'));
});

test('compares every pair of stacks once', () => {
  const pairs = compareStacks({ a: readings(), b: readings(), c: readings() }, 'after loads');
  assertEach(pairs, ({ a, b }) => `${a} ${b}`, ['a b', 'a c', 'b c']);
  assert.deepEqual(compareStacks({ a: readings() }, 'after loads'), []);
});
