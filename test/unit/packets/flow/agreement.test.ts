import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepText } from '../../../../packets/flow/sequence.ts';
import { agreementOf } from '../../../../packets/flow/stack-view.ts';
import { LOST, QUIC_LOAD, quic, stepsOf, streamFrame } from './made-up-packets.ts';

const later = (ms: number) =>
  stepsOf(QUIC_LOAD.map((packet, at) => ({ ...packet, atMs: packet.atMs + (at >= 4 ? ms : 0) })));

test('joins loads of the same steps into one of mean times, without acknowledgements', () => {
  const { steps, agreeing, differing } = agreementOf([later(0), later(2), later(4)]);
  assert.deepEqual(agreeing, [0, 1, 2]);
  assert.deepEqual(differing, []);
  assert.equal(steps.length, 7);
  const finished = steps[3];
  assert.equal(finished?.beginMs, 33);
  assert.equal(finished?.spreadMs, 2);
  assert.equal(steps[0]?.spreadMs, 0);
});

test('reports where a differing load first differs', () => {
  const lost = QUIC_LOAD.map((packet, at) =>
    at === 5 ? { ...packet, packet: { ...packet.packet, ...LOST } } : packet,
  );
  const short = QUIC_LOAD.slice(0, 5);
  const { agreeing, differing } = agreementOf([later(0), stepsOf(lost), later(1), stepsOf(short)]);
  assert.deepEqual(agreeing, [0, 2]);
  assert.deepEqual(
    differing.map(({ load, step, has, expected }) => [
      load,
      step,
      has && stepText(has),
      expected && stepText(expected),
    ]),
    [
      [1, 4, 'lost: HEADERS stream\u00a00', 'HEADERS stream\u00a00'],
      [3, 4, null, 'HEADERS stream\u00a00'],
    ],
  );
});

test('ignores everything after the first response', () => {
  const second = [
    quic(100, 'toServer', [streamFrame(4, 0, 100)]),
    quic(131, 'toClient', [streamFrame(4, 0, 100)]),
  ];
  const { agreeing, steps } = agreementOf([later(0), stepsOf([...QUIC_LOAD, ...second])]);
  assert.deepEqual(agreeing, [0, 1]);
  assert.equal(steps.length, 7);
});
