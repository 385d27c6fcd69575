import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Calibration } from '../../../../../records/calibration.ts';
import { EXIT } from '../../../../../records/exit-status.ts';
import { NetworkError } from '../../../../../runner/errors.ts';
import { judgeCalibration } from '../../../../../runner/network/calibration/judge.ts';
import type { NetworkCondition } from '../../../../../runner/network/conditions.ts';
import { calibrationOf, conditionOf, spreadAround } from './example.ts';

function refusal(
  calibration: Calibration,
  condition: NetworkCondition,
  basePathRttMs?: number,
): string {
  try {
    judgeCalibration(calibration, condition, basePathRttMs);
  } catch (error) {
    assert.ok(error instanceof NetworkError);
    assert.equal(error.exitStatus, EXIT.network);
    return error.message;
  }
  assert.fail('it was accepted');
}

test('a path that is what was asked for is accepted', () => {
  judgeCalibration(calibrationOf(30.3), conditionOf({ rttMs: 30 }));
  judgeCalibration(calibrationOf(0.3), conditionOf({ rttMs: 0 }));
});

test('a path that is slower than asked is refused with both numbers', () => {
  const message = refusal(calibrationOf(40.2), conditionOf({ rttMs: 30 }));
  assert.match(message, /30 ms of round trip were asked, 40\.2 ms were measured over UDP/);
  assert.match(message, /the path itself is wrong/);
});

test('a path that is faster than asked is refused too', () => {
  assert.match(refusal(calibrationOf(20), conditionOf({ rttMs: 30 })), /20 ms were measured/);
});

test('1 ms is allowed, and 5 % where that is more', () => {
  judgeCalibration(calibrationOf(10.99), conditionOf({ rttMs: 10 }));
  refusal(calibrationOf(11.01), conditionOf({ rttMs: 10 }));
  judgeCalibration(calibrationOf(104.9), conditionOf({ rttMs: 100 }));
  refusal(calibrationOf(105.1), conditionOf({ rttMs: 100 }));
  judgeCalibration(calibrationOf(95.1), conditionOf({ rttMs: 100 }));
  refusal(calibrationOf(94.9), conditionOf({ rttMs: 100 }));
});

test("the path's own round trip is no part of what was asked for", () => {
  judgeCalibration(calibrationOf(11.5), conditionOf({ rttMs: 10 }), 0.6);
  const message = refusal(calibrationOf(11.7), conditionOf({ rttMs: 10 }), 0.6);
  assert.match(message, /10 ms of round trip were asked \(and 0\.6 ms of the path's own\)/);
});

test('UDP and TCP are judged each by itself', () => {
  const slowTcp = calibrationOf(30, { tcpRttMs: spreadAround(45, { count: 20 }) });
  assert.match(refusal(slowTcp, conditionOf({ rttMs: 30 })), /45 ms were measured over TCP/);
});

test('late probes on a busy machine are told apart from a wrong path', () => {
  const busy = calibrationOf(30, {
    udpRttMs: spreadAround(36, { minimum: 30.1 }),
    loadAverage1m: 7.25,
    linkPriority: 'none',
  });
  const message = refusal(busy, conditionOf({ rttMs: 30 }));
  assert.match(message, /too busy \(load average 7\.25 on 2 cores\)/);
  assert.match(message, /As root/);
});

test('a packet may take its own length longer at a limited rate, as no token bucket makes it', () => {
  // 55 bytes at 50 kbit/s are 8.8 ms.
  const condition = conditionOf({ rttMs: 30, upKbps: 50 });
  const rate = { upKbps: 50, upOfferedKbps: 75 };
  judgeCalibration(calibrationOf(39, rate), condition);
  judgeCalibration(calibrationOf(30, rate), condition);
  refusal(calibrationOf(41, rate), condition);
});

test('jitter widens what is accepted, by the number of probes', () => {
  const condition = conditionOf({ rttMs: 30, jitterMs: 10 });
  judgeCalibration(calibrationOf(35), condition);
  refusal(calibrationOf(37), condition);
});

test('with heavy loss TCP is judged by its fastest probe, since retransmissions reach the median', () => {
  const condition = conditionOf({ rttMs: 30, lossPercent: 20 });
  const tcpRttMs = spreadAround(150, { minimum: 30.7, count: 20 });
  judgeCalibration(calibrationOf(30.5, { tcpRttMs }), condition);
  const slow = { tcpRttMs: { ...tcpRttMs, minimum: 60 } };
  assert.match(refusal(calibrationOf(30.5, slow), condition), /minimum of 20 probes/);
});

test('a rate is accepted within 5 % and refused with both numbers beyond', () => {
  const condition = conditionOf({ downKbps: 10_000 });
  const at = (downKbps: number | null) => calibrationOf(0.3, { downKbps, downOfferedKbps: 15_000 });
  judgeCalibration(at(9_600), condition);
  judgeCalibration(at(10_400), condition);
  const message = refusal(at(12_000), condition);
  assert.match(
    message,
    /10000 kbit\/s towards the browser were asked, 12000 kbit\/s were measured/,
  );
  assert.match(refusal(at(9_000), condition), /too busy/);
  assert.match(refusal(at(null), condition), /too few packets/);
});

test('a machine that cannot send enough is told so', () => {
  const calibration = calibrationOf(0.3, { upKbps: 600_000, upOfferedKbps: 601_000 });
  const message = refusal(calibration, conditionOf({ upKbps: 1_000_000 }));
  assert.match(message, /towards the servers/);
  assert.match(message, /cannot send faster/);
});
