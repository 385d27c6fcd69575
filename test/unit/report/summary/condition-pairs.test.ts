import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkCondition } from '../../../../ground/records/network.ts';
import { assertEach } from '../../assert-each.ts';
import { DELAYED, NONE } from '../fixture-run.ts';
import { pairsOf } from './condition-pair-texts.ts';

const BLOCKED: NetworkCondition = {
  ...DELAYED,
  name: 'udp-blocked',
  udp: { treatment: 'blocked', kbps: null },
};

test('pairs every two values of a factor over each network, with the more usual one as baseline', () => {
  assert.deepEqual(pairsOf([DELAYED], { visit: ['resumed', 'cold', 'repeat'] }), [
    'visit: 30ms/repeat 30ms/cold: repeat visit against first visit, with 30 ms round-trip time added',
    'visit: 30ms/resumed 30ms/cold: resumed visit against first visit, with 30 ms round-trip time added',
    'visit: 30ms/resumed 30ms/repeat: resumed visit against repeat visit, with 30 ms round-trip time added',
  ]);
  assert.equal(pairsOf([NONE, DELAYED], { visit: ['cold', 'repeat'] }).length, 2);
});

test('compares a network with a treatment to the same numbers without it, by any name', () => {
  const plain = { ...DELAYED, name: 'mine' };
  assert.deepEqual(pairsOf([NONE, BLOCKED, plain], { visit: ['cold'] }), [
    'udp: udp-blocked/cold mine/cold: UDP blocked against UDP passed, with 30 ms round-trip time added',
  ]);
  const lossy = { ...DELAYED, lossPercent: 1 };
  assert.deepEqual(
    pairsOf([lossy, BLOCKED], { visit: ['cold'] }),
    [],
    'they differ in the loss too',
  );
});

test('differs in only one of several treatments per pair, and does not compare two networks with one each', () => {
  const event = { kind: 'rebind', atMs: 500 } as const;
  const networks = [
    DELAYED,
    BLOCKED,
    { ...DELAYED, name: 'rejected', udp: { treatment: 'rejected', kbps: null } as const },
    { ...DELAYED, name: 'rebound', event },
    { ...BLOCKED, name: 'both', event },
    { ...DELAYED, name: 'lost40', lostPacket: 40 },
  ];
  assertEach(pairsOf(networks, { visit: ['cold'] }), (text) => text.replace(/, with.*/, ''), [
    'udp: udp-blocked/cold 30ms/cold: UDP blocked against UDP passed',
    'udp: rejected/cold 30ms/cold: UDP rejected against UDP passed',
    'udp: both/cold rebound/cold: UDP blocked against UDP passed',
    'event: rebound/cold 30ms/cold: other client ports after 500 ms against no event on the path',
    'event: both/cold udp-blocked/cold: other client ports after 500 ms against no event on the path',
    'lostPacket: lost40/cold 30ms/cold: data packet 40 lost against none lost on purpose',
  ]);
});

test('does not pair conditions that differ only in a number of the path, or in nothing', () => {
  assert.deepEqual(pairsOf([NONE, DELAYED], { visit: ['cold'] }), []);
  assert.deepEqual(pairsOf([NONE, DELAYED], {}), []);
});

test('compares each of several values of a dimension to the network that lacks it, or else to the first', () => {
  const bursts = [
    { enterPercent: 0.4, leavePercent: 33 },
    { enterPercent: 1, leavePercent: 25 },
  ];
  const networks = (['cubic', 'bbr'] as const).flatMap((congestionControl) =>
    bursts.map(
      (burstLoss, index): NetworkCondition => ({
        ...DELAYED,
        name: `${congestionControl}${index}`,
        burstLoss,
        congestionControl,
      }),
    ),
  );
  const namesOf = (some: readonly NetworkCondition[]) =>
    pairsOf(some, {}).map((text) => text.replace(/, with.*/, ''));
  assert.deepEqual(namesOf(networks), [
    'burstLoss: cubic1/ cubic0/: 3.8 % lost each way in bursts of 4 packets on average against 1.2 % lost each way in bursts of 3 packets on average',
    'burstLoss: bbr1/ bbr0/: 3.8 % lost each way in bursts of 4 packets on average against 1.2 % lost each way in bursts of 3 packets on average',
    'congestionControl: bbr0/ cubic0/: congestion control bbr against congestion control cubic',
    'congestionControl: bbr1/ cubic1/: congestion control bbr against congestion control cubic',
  ]);
  const jittered = { ...DELAYED, name: 'jitter5', jitterMs: 5 };
  assert.deepEqual(pairsOf([jittered, DELAYED], {}), [
    'jitterMs: jitter5/ 30ms/: ± 5 ms jitter against no jitter, with 30 ms round-trip time added',
  ]);
});
