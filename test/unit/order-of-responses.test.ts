import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BodyPart, responseOrderOf } from '../e2e/order-of-responses.ts';

/** Parts of 1,000 bytes, one each of these times. */
function parts(...timesMs: number[]): BodyPart[] {
  return timesMs.map((atMs) => ({ atMs, bytes: 1000 }));
}

function times(fromMs: number, count: number, stepMs = 1): number[] {
  return Array.from({ length: count }, (_, index) => fromMs + index * stepMs);
}

test('calls an urgent response that pauses the early one ordered by priority', () => {
  // 5 parts in flight arrive first.
  const early = parts(...times(0, 15), ...times(35, 85));
  const urgent = parts(...times(15, 20));
  assert.equal(responseOrderOf({ early, urgent, urgentRequestedAtMs: 10 }), 'by priority');
});

test('calls an urgent response that waits for the end of the early one ordered by request', () => {
  const early = parts(...times(0, 100));
  const urgent = parts(...times(100, 20));
  assert.equal(responseOrderOf({ early, urgent, urgentRequestedAtMs: 10 }), 'in request order');
});

test('calls responses that share the connection, fairly or not, interleaved', () => {
  const fair = {
    early: parts(...times(0, 15), ...times(15, 20, 2), ...times(55, 65)),
    urgent: parts(...times(16, 20, 2)),
    urgentRequestedAtMs: 10,
  };
  assert.equal(responseOrderOf(fair), 'interleaved');
  // Three parts of the urgent response to each of the early one.
  const unfair = {
    early: parts(...times(0, 15), ...times(15, 7, 4), ...times(43, 78)),
    urgent: parts(...times(0, 21).map((index) => 16 + Math.floor(index / 3) * 4 + (index % 3))),
    urgentRequestedAtMs: 10,
  };
  assert.equal(responseOrderOf(unfair), 'interleaved');
});

test('reports no order for responses that hardly overlap', () => {
  const early = parts(...times(0, 100));
  const urgent = parts(...times(100, 20));
  assert.equal(responseOrderOf({ early, urgent, urgentRequestedAtMs: 95 }), null);
  assert.equal(responseOrderOf({ early, urgent: [], urgentRequestedAtMs: 10 }), null);
});
