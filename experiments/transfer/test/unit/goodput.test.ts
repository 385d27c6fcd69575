import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodputKbps } from '../../goodput.ts';

const MADE = { connectMs: 20, lastByteMs: 140, bodyBytes: 125_000 };

test('computes goodput from all bytes, from when the first of them could be there', () => {
  assert.equal(goodputKbps(MADE, 20), 10_000);
});

test('has no goodput for instant arrival, empty bodies and missing ones', () => {
  assert.equal(goodputKbps({ ...MADE, lastByteMs: 40.5 }, 20), null);
  assert.equal(goodputKbps({ ...MADE, bodyBytes: 0 }, 20), null);
  assert.equal(goodputKbps({ ...MADE, lastByteMs: null }, 20), null);
  assert.equal(goodputKbps({ ...MADE, connectMs: null }, 20), null);
});
