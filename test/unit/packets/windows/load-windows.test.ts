import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalsOf } from '../../../../packets/windows/load-windows.ts';

const point = (atMs: number, cwndBytes: number | null, inFlightBytes: number) => ({
  atMs,
  cwndBytes,
  inFlightBytes,
  rttMs: null,
});

test('includes all connections so far in totals, at each change of one of them', () => {
  const connections = [
    { name: 'a', points: [point(0, 10, 1), point(20, 30, 3)] },
    { name: 'b', points: [point(5, 100, 0), point(25, 100, 50)] },
  ];
  assert.deepEqual(totalsOf(connections), [
    { atMs: 0, cwndBytes: 10, inFlightBytes: 1 },
    { atMs: 5, cwndBytes: 110, inFlightBytes: 1 },
    { atMs: 20, cwndBytes: 130, inFlightBytes: 3 },
    { atMs: 25, cwndBytes: 130, inFlightBytes: 53 },
  ]);
});

test('counts connections that change at one moment as one change', () => {
  const connections = [
    { name: 'a', points: [point(5, 10, 1), point(10, 20, 2)] },
    { name: 'b', points: [point(5, 100, 0), point(10, 100, 50)] },
  ];
  assert.deepEqual(totalsOf(connections), [
    { atMs: 5, cwndBytes: 110, inFlightBytes: 1 },
    { atMs: 10, cwndBytes: 120, inFlightBytes: 52 },
  ]);
});

test('distinguishes an unknown window from a window of 0 bytes', () => {
  assert.deepEqual(totalsOf([{ name: 'a', points: [point(3, null, 7)] }]), [
    { atMs: 3, cwndBytes: null, inFlightBytes: 7 },
  ]);
  assert.deepEqual(totalsOf([]), []);
});
