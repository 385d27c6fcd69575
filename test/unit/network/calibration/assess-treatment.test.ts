import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessCalibration } from '../../../../network/calibration/assess.ts';
import type { Measurement } from '../../../../network/calibration/calibrate.ts';
import type { SeededCondition } from '../../../../network/conditions.ts';
import { calibrationOf, conditionOf } from './example.ts';

type Seen = NonNullable<Measurement['udp']>;

const NONE = { sent: 40, packets: 0, kbps: null, offeredKbps: 1500 };
const SOME = { sent: 51, packets: 36, kbps: 1000, offeredKbps: 1500 };
const BLOCKED: Seen = {
  treatment: 'blocked',
  kbps: null,
  toServer: NONE,
  toClient: NONE,
  refusal: null,
  tcpKbps: null,
};
const REJECTED: Seen = { ...BLOCKED, treatment: 'rejected', refusal: 'EHOSTUNREACH' };
const THROTTLED: Seen = {
  treatment: 'throttled',
  kbps: 1000,
  toServer: SOME,
  toClient: SOME,
  refusal: null,
  tcpKbps: 6000,
};

/** Problem of a path with these observations; null: no problem. */
function wrongIn(
  udp: Seen,
  condition: Partial<SeededCondition> = {},
  requested = {},
): string | null {
  const { treatment, kbps } = udp;
  const measurement = calibrationOf(0.2, { udp });
  return assessCalibration(
    { ...measurement, requested: { ...measurement.requested, ...requested } },
    conditionOf({ udp: { treatment, kbps }, ...condition }),
  ).wrong;
}

test('accepts a path that treats UDP as requested', () => {
  for (const seen of [BLOCKED, REJECTED, THROTTLED]) assert.equal(wrongIn(seen), null);
});

test('rejects a path on which one blocked datagram arrives, in either direction', () => {
  for (const direction of ['toServer', 'toClient'] as const) {
    assert.match(
      wrongIn({ ...BLOCKED, [direction]: { ...NONE, packets: 1 } }) ?? '',
      /UDP should be blocked, but 1 of 80 datagrams arrived/,
    );
  }
});

test('reports a sender that gets an unexpected error, or lacks the expected one', () => {
  assert.match(
    wrongIn({ ...REJECTED, refusal: null }) ?? '',
    /should be rejected, but the sender of a datagram received nothing instead of EHOSTUNREACH/,
  );
  assert.match(
    wrongIn({ ...BLOCKED, refusal: 'ECONNREFUSED' }) ?? '',
    /received ECONNREFUSED instead of nothing/,
  );
});

test('rejects a UDP rate that is 10 % off, and too few packets to measure one', () => {
  assert.match(
    wrongIn({ ...THROTTLED, toClient: { ...SOME, kbps: 1100 } }) ?? '',
    /1000 kbit\/s of UDP towards the browser, it is 1100 kbit\/s/,
  );
  assert.match(
    wrongIn({ ...THROTTLED, toServer: { ...SOME, kbps: null } }) ?? '',
    /of UDP towards the servers, too few packets arrived/,
  );
});

test('expects the UDP rate that loss and the rate of the path leave', () => {
  const lossy = { lossPercent: 10 };
  const seen = { ...SOME, kbps: 900 };
  assert.equal(wrongIn({ ...THROTTLED, toServer: seen, toClient: seen }, lossy, lossy), null);
  const slow = { downKbps: 500 };
  const throttled = { ...THROTTLED, toClient: { ...SOME, kbps: 500 } };
  const measured = calibrationOf(0.2, { udp: throttled, downKbps: 500, downOfferedKbps: 750 });
  const { treatment, kbps } = throttled;
  const condition = conditionOf({ ...slow, udp: { treatment, kbps } });
  assert.equal(assessCalibration(measured, condition).wrong, null);
});

test('rejects TCP as slow as UDP if nothing else limits it', () => {
  const slow = { ...THROTTLED, tcpKbps: 1010 };
  assert.match(
    wrongIn(slow) ?? '',
    /only UDP should be throttled, to 1000 kbit\/s, but TCP's rate is/,
  );
  assert.equal(wrongIn(slow, { lostPacket: 3 }), null);
  assert.equal(wrongIn({ ...THROTTLED, tcpKbps: null }), null);
});
