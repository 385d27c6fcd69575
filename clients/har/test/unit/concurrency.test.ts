import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HarEntry } from '../../har.ts';
import { peakConcurrency } from '../../traffic.ts';

interface Span {
  startMs: number;
  /** Before its first byte was sent. */
  blocked?: number;
  connect?: number;
  /** From then on. */
  wait: number;
  status?: number;
}

function entry({ startMs, blocked = 0, connect = -1, wait, status = 200 }: Span): HarEntry {
  const none = { dns: -1, ssl: connect, send: 0, receive: 0 };
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + startMs).toISOString(),
    time: blocked + Math.max(0, connect) + wait,
    timings: { ...none, blocked, connect, wait },
    response: { status },
  } as HarEntry;
}

const peakOf = (spans: Span[]) => peakConcurrency(spans.map(entry));

test('counts only overlapping requests together', () => {
  const spans = [
    { startMs: 0, wait: 50 },
    { startMs: 10, wait: 20 },
    { startMs: 20, wait: 100 },
    { startMs: 60, wait: 100 },
    { startMs: 200, wait: 10 },
  ];
  assert.equal(peakOf(spans), 3);
});

test('does not count a request that waits for its turn or for a connection', () => {
  assert.equal(
    peakOf([
      { startMs: 0, wait: 50 },
      { startMs: 0, blocked: 60, wait: 50 },
      { startMs: 0, blocked: 60, connect: 60, wait: 50 },
    ]),
    1,
  );
});

test('does not count two requests on one connection, one after the other within a millisecond, as concurrent', () => {
  // It really ended at 20.4; the next began at 20.5, which a HAR writes as 20.
  assert.equal(
    peakOf([
      { startMs: 0, wait: 20.4 },
      { startMs: 20, wait: 20 },
    ]),
    1,
  );
});

test('counts short requests that were sent at the same moment as concurrent', () => {
  assert.equal(
    peakOf([
      { startMs: 5, wait: 0.5 },
      { startMs: 5, wait: 0.4 },
    ]),
    2,
  );
});

test('does not know whether a request without a response was sent', () => {
  assert.equal(peakOf([{ startMs: 0, wait: 50, status: 0 }]), 0);
  assert.equal(peakOf([]), 0);
});
